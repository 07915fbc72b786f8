import MicroHTTPD
import Synchronization
import UsherMetrics
import UsherProcess
import UsherSessions

/// Enforces a server's memory budget: measures the use ten times per second, and releases memory if necessary.
final class MemoryKeeper: Sendable {
    fileprivate struct State {
        var budget: MemoryBudget
        var use = MemoryBudget.Use()
        /// The bytes that the last measurement counted.
        var counted = 0
        /// The number of measurements after which sessions at rest may be released again.
        var pause = 0
        /// The number of measurements after which sessions in use may be released again.
        var urgentPause = 0
    }

    private let state: Mutex<State>
    /// The start time of the last recount; locked during a recount, because other requests wait for its result.
    private let lastCount = Mutex(Int64.min)
    private let registry: SessionRegistry
    private let traffic: @Sendable () -> Daemon.Traffic?
    private let shed: @Sendable (WaitingBytes) -> Int
    private let log: Log
    private let read: @Sendable () -> MemoryUse?
    private let beat = Beat()
    private let isStopped = Atomic(false)
    private let closed = Counter()

    private static let interval: Int64 = 100_000_000
    /// The number of measurements between two releases of sessions at rest.
    fileprivate static let patience = 3
    /// The number of measurements between two releases of sessions in use.
    ///
    /// A measurement shows whether more must be released only after the system has taken the released pages back.
    fileprivate static let urgentPatience = 100

    /// Creates a keeper; without a budget, only connections and watchers are limited.
    ///
    /// `shed` closes slow streams while too many bytes wait to be sent, and returns the number of closed streams.
    /// `traffic` returns nil until there is a daemon, and `read` returns nil if the system does not report the memory
    /// in use.
    init(
        of bytes: Int?, registry: SessionRegistry, log: Log, traffic: @escaping @Sendable () -> Daemon.Traffic?,
        shed: @escaping @Sendable (WaitingBytes) -> Int, read: @escaping @Sendable () -> MemoryUse?
    ) {
        state = Mutex(State(budget: MemoryBudget(bytes: bytes ?? .max)))
        self.registry = registry
        self.traffic = traffic
        self.shed = shed
        self.log = log
        self.read = read
        guard let bytes else { return }
        registry.gate.limit(to: MemoryBudget(bytes: bytes)) { [weak self] in self?.recount() }
    }

    /// Starts to measure, on a separate thread, so that handlers cannot delay the measurements.
    func start() {
        let hasStarted = SystemThread.start { [self] in
            while !isStopped.load(ordering: .relaxed) {
                look()
                beat.rest(Self.interval, isIdle: isIdle)
            }
        }
        if !hasStarted { log.write(.error, "no memory budget", ["cause": "the system has no thread left"]) }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// A Boolean value that indicates whether nothing allocates: there are no requests and no sessions in memory.
    private var isIdle: Bool { traffic()?.requests ?? 0 == 0 && registry.awakeCount == 0 }

    /// Measures the use once, and releases memory if the budget requires it.
    func look() {
        let traffic = traffic()
        var use = MemoryBudget.Use()
        use.watchers = registry.watcherPart
        use.connections = traffic.map { Double($0.connections) / Double($0.connectionLimit) } ?? 0
        let settled = registry.gate.settledBytes
        use.read(read())
        use.states = registry.waiting.count
        use.exchanges = traffic?.exchangedBytes ?? 0
        use.changes = registry.waitingChanges
        let (decision, release) = state.withLock { state in state.decide(upon: use) }
        registry.gate.note(used: decision.counted, settled: settled)
        refuse(decision.refused, decision.counted)
        closed.add(shed(registry.waiting))
        if let release { registry.makeRoom(of: decision.excess, isUrgent: release == .urgent) }
    }

    /// Measures the use between two regular measurements, so that work is not refused because of an old measurement.
    private func recount() {
        let asked = MonotonicClock.now
        lastCount.withLock { last in
            // Another request may have measured the use in the meantime.
            guard last < asked else { return }
            last = MonotonicClock.now
            let settled = registry.gate.settledBytes
            var use = MemoryBudget.Use()
            use.read(read())
            registry.gate.note(used: state.withLock { $0.budget.countedBytes(of: use) }, settled: settled)
        }
    }

    private func refuse(_ work: Admission?, _ memory: Int) {
        let gate = registry.gate
        let before = gate.closed
        guard work != before else { return }
        gate.close(to: work)
        if let work {
            log.write(
                before.map { $0 < work } ?? true ? .warning : .info, "server is full",
                ["refuses": "\(work)", "memory": "\(memory)", "budget": "\(state.withLock { $0.budget.bytes })"])
        } else {
            log.write(.info, "server has room again", ["memory": "\(memory)"])
        }
    }

    // MARK: Metrics

    func write(into writer: inout MetricsWriter) {
        let (bytes, use, counted) = state.withLock { ($0.budget.bytes, $0.use, $0.counted) }
        writer.gauge(
            "usher_memory_budget_bytes", "Memory that the server may use; 0 for no limit.", bytes == .max ? 0 : bytes)
        writer.gauge("usher_memory_used_bytes", "Memory use as measured against the budget.", counted)
        writer.begin(
            "usher_memory_waiting_bytes", .gauge, "Memory of data that waits for streams, exchanges or the journal.")
        writer.sample(use.states, ["for": "streams"])
        writer.sample(use.exchanges, ["for": "exchanges"])
        writer.sample(use.changes, ["for": "journal"])
        writer.counter(
            "usher_streams_closed_total", "Streams that were closed to free memory.", closed.value)
    }
}

extension MemoryBudget.Use {
    /// Stores the memory in use; nil if the system does not report it.
    fileprivate mutating func read(_ memory: MemoryUse?) {
        process = memory?.bytes ?? 0
        heap = memory?.heap
    }
}

extension MemoryKeeper.State {
    /// The sessions to remove from memory.
    enum Release {
        case resting
        case urgent
    }

    /// Decides what to do about a measured use, and which sessions to remove from memory now; nil for none.
    fileprivate mutating func decide(upon use: MemoryBudget.Use) -> (MemoryBudget.Decision, Release?) {
        self.use = use
        let decision = budget.decide(upon: use)
        counted = decision.counted
        pause = max(0, pause - 1)
        urgentPause = max(0, urgentPause - 1)
        guard decision.excess > 0, pause == 0 else { return (decision, nil) }
        pause = MemoryKeeper.patience
        guard decision.isAtLimit, urgentPause == 0 else { return (decision, .resting) }
        urgentPause = MemoryKeeper.urgentPatience
        return (decision, .urgent)
    }
}
