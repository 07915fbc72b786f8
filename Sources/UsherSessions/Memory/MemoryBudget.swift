import Synchronization
package import UsherProcess

/// A server's memory budget, which decides what work to refuse and how much memory to free.
///
/// Idle sessions hibernate first. If the memory in use still grows, the server refuses new sessions, then streams, then
/// requests that would wake a session, and last all inputs and reads. Each kind of work has a percentage of the budget
/// at which it is refused (`mark`). The server admits this work again when the use is a little below that percentage.
///
/// The budget counts allocated memory (`Fragmentation`). While the process's resident memory is at the limit, the
/// budget counts resident memory instead.
package struct MemoryBudget: Sendable {
    /// The memory, connections and watchers in use.
    package struct Use: Equatable, Sendable {
        /// The resident memory of the process, or the memory of its control group.
        package var process = 0
        /// The use of the heap; nil if it is unknown.
        package var heap: HeapUse?
        /// The bytes of states that wait for slow readers of streams.
        package var states = 0
        /// The bytes of request bodies that are being received, and of answers that are being sent.
        package var exchanges = 0
        /// The bytes of changes that wait for the journal.
        package var changes = 0
        /// The number of open connections divided by the largest allowed number, from 0 to 1.
        package var connections = 0.0
        /// The number of watchers divided by the largest allowed number, from 0 to 1.
        package var watchers = 0.0

        package init() {}
    }

    /// What the server must do about the memory in use.
    package struct Decision: Equatable, Sendable {
        /// The last kind of work to refuse, together with all kinds before this one; `nil` to refuse nothing.
        package var refused: Admission?
        /// The number of bytes that hibernating sessions should release.
        package var excess = 0
        /// The number of bytes in use as the budget counts them.
        package var counted = 0
        /// A Boolean value indicating whether resident memory has reached the budget, so that sessions in use may
        /// hibernate, too.
        package var isAtLimit = false
    }

    /// The size of the budget, in bytes.
    package let bytes: Int
    private var refused: Admission?
    private var fragmentation = Fragmentation()
    private var isAtLimit = false

    /// The number by which the budget is divided to get `queueBytes`.
    package static let queueShare = 8

    // The next three constants are percentages of the budget.
    private static let hibernationMark = 70
    private static let hibernationGoal = 65
    private static let slack = 3
    /// The part of the allowed connections and watchers that may be in use before new sessions and streams are refused.
    ///
    /// The rest is reserved for existing sessions, health checks and operators.
    private static let reserveMark = 15.0 / 16

    package init(bytes: Int) {
        self.bytes = max(1, bytes)
    }

    /// The maximum number of bytes of queued states; the same limit applies to exchanges, and to changes.
    package var queueBytes: Int { bytes / Self.queueShare }

    /// The number of bytes in use at which hibernation stops: below this number, no session needs to hibernate.
    package var restMark: Int { bytes / 100 * Self.hibernationGoal }

    /// Returns the bytes in use at which a kind of work is refused.
    func bytes(before work: Admission) -> Int { bytes / 100 * work.mark }

    /// Returns the number of bytes in use as the budget counts them (`Fragmentation`).
    package func countedBytes(of use: Use) -> Int { fragmentation.countedBytes(of: use.process, use.heap) }

    /// Returns what the server must do about the memory that is in use now.
    package mutating func decide(upon use: Use) -> Decision {
        if let heap = use.heap { fragmentation.learn(from: heap) }
        let counted = countedBytes(of: use)
        let resident = percent(of: use.process)
        isAtLimit = resident >= (isAtLimit ? 100 - Self.slack : 100)
        let percent = isAtLimit ? resident : percent(of: counted)
        let reached = Self.refused(at: percent)
        let released = Self.refused(at: percent + Self.slack)
        refused = Self.later(reached, Self.earlier(refused, released))
        var decision = Decision(refused: refused, counted: counted, isAtLimit: isAtLimit)
        if use.watchers > Self.reserveMark { decision.refused = Self.later(decision.refused, .session) }
        if use.connections > Self.reserveMark { decision.refused = Self.later(decision.refused, .stream) }
        if use.states > queueBytes / 2 { decision.refused = Self.later(decision.refused, .stream) }
        if max(use.exchanges, use.changes) > queueBytes { decision.refused = .input }
        decision.excess = excess(of: counted, use)
        return decision
    }

    private func excess(of counted: Int, _ use: Use) -> Int {
        var excess = 0
        if percent(of: counted) >= Self.hibernationMark { excess = counted - restMark }
        if isAtLimit { excess = max(excess, use.process - bytes / 100 * (100 - Self.slack)) }
        return use.heap == nil ? excess : fragmentation.allocatedBytes(of: excess)
    }

    private func percent(of used: Int) -> Int {
        Int(min(max(0, Double(used) / Double(bytes) * 100), 1_000))
    }

    private static func refused(at percent: Int) -> Admission? {
        Admission.allCases.last { percent >= $0.mark }
    }

    private static func later(_ one: Admission?, _ other: Admission?) -> Admission? {
        [one, other].compactMap(\.self).max()
    }

    private static func earlier(_ one: Admission?, _ other: Admission?) -> Admission? {
        guard let one, let other else { return nil }
        return min(one, other)
    }
}

extension Admission {
    /// The percentage of the budget at which this kind of work is refused.
    fileprivate var mark: Int {
        switch self {
        case .session: 80
        case .stream: 85
        case .waking: 90
        case .input: 95
        }
    }
}

/// Returns freed memory to the system, but only after many sessions or watchers have left, because it takes long.
final class MemoryReclaim: Sendable {
    private let departures = Atomic(0)
    /// Starts to return memory to the system, without waiting.
    private let reclaim: @Sendable () -> Void

    /// The number of departures after which memory is returned: `many`, or `few` if no session (or no watcher) is left.
    private static let many = 8_192
    private static let few = 512

    init(_ reclaim: @escaping @Sendable () -> Void) {
        self.reclaim = reclaim
    }

    /// Counts a session or a watcher that has left memory; `left` returns how many are still in memory.
    func note(left: () -> Int) {
        let count = departures.add(1, ordering: .relaxed).newValue
        if count >= Self.many || count >= Self.few && left() == 0 { settle() }
    }

    /// Starts to return memory to the system now.
    func run() {
        departures.store(0, ordering: .relaxed)
        reclaim()
    }

    /// Starts to return memory if at least `few` sessions and watchers have left since the last time.
    func settle() {
        guard departures.load(ordering: .relaxed) >= Self.few else { return }
        // Only the thread that resets the counter returns the memory.
        guard departures.exchange(0, ordering: .relaxed) >= Self.few else { return }
        reclaim()
    }
}
