import MicroHTTPD
import Synchronization
import UsherMetrics
import UsherProcess
import UsherSessions

/// The keeper of a server's memory budget: reads what is in use ten times a second, and has given up what the budget says.
final class MemoryKeeper: Sendable {
    fileprivate struct State {
        var budget: MemoryBudget
        var use = MemoryBudget.Use()
        /// The looks until sessions may be let go again: memory is given back in between, which takes time.
        var pause = 0
    }

    private let state: Mutex<State>
    private let registry: SessionRegistry
    private let traffic: @Sendable () -> Daemon.Traffic?
    private let shed: @Sendable (WaitingBytes) -> Int
    private let log: Log
    private let processBytes: @Sendable () -> Int?
    private let isStopped = Atomic(false)
    private let closed = Counter()

    private static let interval: Int64 = 100_000_000
    /// The looks between two times at which sessions are let go and memory is given back.
    fileprivate static let patience = 3

    /// Makes a keeper.
    ///
    /// - Parameters:
    ///   - bytes: The budget; nil for none, and then only connections and watchers can be scarce.
    ///   - registry: The sessions, and the gate that refuses work.
    ///   - log: Is told when work begins and ceases to be refused.
    ///   - traffic: The load of the daemon in front, once there is one.
    ///   - shed: Closes slow streams while too much waits for them, and says how many.
    ///   - processBytes: The memory in use; nil where the system does not tell.
    init(
        of bytes: Int?, registry: SessionRegistry, log: Log, traffic: @escaping @Sendable () -> Daemon.Traffic?,
        shed: @escaping @Sendable (WaitingBytes) -> Int, processBytes: @escaping @Sendable () -> Int?
    ) {
        state = Mutex(State(budget: MemoryBudget(bytes: bytes ?? .max)))
        self.registry = registry
        self.traffic = traffic
        self.shed = shed
        self.log = log
        self.processBytes = processBytes
    }

    /// Begins to look, on a thread that no handler can hold.
    func start() {
        let hasStarted = SystemThread.start { [self] in
            while !isStopped.load(ordering: .relaxed) {
                look()
                SystemThread.pause(nanoseconds: Self.interval)
            }
        }
        if !hasStarted { log.write(.error, "no memory budget", ["cause": "the system has no thread left"]) }
    }

    /// Looks no more.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Looks once at what is in use, and has given up what the budget says.
    func look() {
        let traffic = traffic()
        var use = MemoryBudget.Use()
        use.watchers = registry.watcherPart
        use.connections = traffic.map { Double($0.connections) / Double($0.connectionLimit) } ?? 0
        use.process = processBytes() ?? 0
        use.states = registry.waiting.count
        use.exchanges = traffic?.exchangedBytes ?? 0
        use.changes = registry.waitingChanges
        let (decision, makesRoom) = state.withLock { state in state.decide(upon: use) }
        refuse(decision.refused, use)
        closed.add(shed(registry.waiting))
        if makesRoom { registry.makeRoom(of: decision.excess) }
    }

    private func refuse(_ work: Admission?, _ use: MemoryBudget.Use) {
        let gate = registry.gate
        let before = gate.closed
        guard work != before else { return }
        gate.close(to: work)
        if let work {
            log.write(
                before.map { $0 < work } ?? true ? .warning : .info, "server is full",
                ["refuses": "\(work)", "memory": "\(use.process)", "budget": "\(state.withLock { $0.budget.bytes })"])
        } else {
            log.write(.info, "server has room again", ["memory": "\(use.process)"])
        }
    }

    // MARK: Metrics

    /// Writes the budget and what is in use of it.
    func write(into writer: inout MetricsWriter) {
        let (bytes, use) = state.withLock { ($0.budget.bytes, $0.use) }
        writer.begin("usher_memory_budget_bytes", .gauge, "Memory that the server may use; 0 for no limit.")
        writer.sample(bytes == .max ? 0 : bytes)
        writer.begin("usher_memory_used_bytes", .gauge, "Memory that counts to the budget, at the last look.")
        writer.sample(use.process)
        writer.begin("usher_memory_waiting_bytes", .gauge, "Memory of what waits for others, by what it is.")
        writer.sample(use.states, ["for": "streams"])
        writer.sample(use.exchanges, ["for": "exchanges"])
        writer.sample(use.changes, ["for": "journal"])
        writer.begin(
            "usher_streams_closed_total", .counter, "Streams that were closed because others needed the memory.")
        writer.sample(closed.value)
    }
}

extension MemoryKeeper.State {
    /// Notes a use.
    ///
    /// - Returns: The decision, and true where sessions are to leave memory now.
    fileprivate mutating func decide(upon use: MemoryBudget.Use) -> (MemoryBudget.Decision, makesRoom: Bool) {
        self.use = use
        let decision = budget.decide(upon: use)
        pause = max(0, pause - 1)
        guard decision.excess > 0, pause == 0 else { return (decision, false) }
        pause = MemoryKeeper.patience
        return (decision, true)
    }
}
