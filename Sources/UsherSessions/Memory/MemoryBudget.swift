import Synchronization
package import UsherProcess

/// A server's memory budget: it decides from the memory in use which work is refused, and how much must leave memory.
///
/// Sessions that are idle hibernate first; then new sessions are refused, streams, requests that would wake a session,
/// and last all inputs and looks. Each is let through again a little below the mark at which it was refused.
///
/// What lives counts, not the pages that it lies on (`Fragmentation`), unless the process itself is at the limit.
package struct MemoryBudget: Sendable {
    /// The memory in use, in bytes, and beside it what else can run out.
    package struct Use: Equatable, Sendable {
        /// Resident memory of the whole process, or of its control group.
        package var process = 0
        /// The use of the heap; nil if it is unknown.
        package var heap: HeapUse?
        /// States that wait for the slow readers of streams.
        package var states = 0
        /// Bodies of requests that come in, and answers that go out.
        package var exchanges = 0
        /// Changes that wait for the journal.
        package var changes = 0
        /// The part of all connections that is open, from 0 to 1.
        package var connections = 0.0
        /// The part of all watchers that is there, from 0 to 1.
        package var watchers = 0.0

        /// No use of any memory.
        package init() {}
    }

    /// The consequences of a use.
    package struct Decision: Equatable, Sendable {
        /// The last kind of work that is refused, and with it all before; nil for none.
        package var refused: Admission?
        /// The bytes of sessions that should leave memory.
        package var excess = 0
        /// The bytes that count to the budget.
        package var counted = 0
        /// A Boolean value indicating whether resident memory has reached the budget: sessions in use may then leave, too.
        package var isAtLimit = false
    }

    /// The bytes that may be in use.
    package let bytes: Int
    private var refused: Admission?
    private var fragmentation = Fragmentation()
    private var isAtLimit = false

    /// The part of a budget that states, exchanges and changes may each take.
    package static let queueShare = 8

    // In percent of the budget.
    private static let hibernationMark = 70
    private static let hibernationGoal = 65
    private static let slack = 3
    /// The part of connections and watchers that new sessions and streams may take; the rest is for sessions that there
    /// are, for health and for operators.
    private static let reserveMark = 15.0 / 16

    /// Makes a budget of which nothing is used.
    ///
    /// - Parameter bytes: The bytes that may be in use.
    package init(bytes: Int) {
        self.bytes = max(1, bytes)
    }

    /// The bytes that states, exchanges and changes may each take.
    package var queueBytes: Int { bytes / Self.queueShare }

    /// The resident bytes below which nothing is given up, whatever lives in the heap.
    package var restMark: Int { bytes / 100 * Self.hibernationGoal }

    /// The bytes at which a kind of work is refused.
    func bytes(before work: Admission) -> Int { bytes / 100 * work.mark }

    /// Counts the memory in use.
    ///
    /// - Parameter use: The memory in use now.
    /// - Returns: The bytes that count to the budget.
    package func countedBytes(of use: Use) -> Int { fragmentation.countedBytes(of: use.process, use.heap) }

    /// Decides what is given up.
    ///
    /// - Parameter use: The memory in use now.
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
    /// The percentage of the budget at which it is refused.
    fileprivate var mark: Int {
        switch self {
        case .session: 80
        case .stream: 85
        case .waking: 90
        case .input: 95
        }
    }
}

/// Sees to it that freed memory goes back to the system: not after each session or watcher, for that costs, but after
/// many.
final class MemoryReclaim: Sendable {
    private let departures = Atomic(0)
    private let reclaim: @Sendable () -> Void

    /// After so many, memory is given back; after fewer, when none is left.
    private static let many = 8_192
    private static let few = 512

    /// - Parameter reclaim: Begins to give memory back; it returns at once.
    init(_ reclaim: @escaping @Sendable () -> Void) {
        self.reclaim = reclaim
    }

    /// Notes that a session or a watcher has left memory.
    ///
    /// - Parameter left: The number of its kind that are still there.
    func note(left: () -> Int) {
        let count = departures.add(1, ordering: .relaxed).newValue
        if count >= Self.many || count >= Self.few && left() == 0 { settle() }
    }

    /// Begins to give memory back now.
    func run() {
        departures.store(0, ordering: .relaxed)
        reclaim()
    }

    /// Begins to give memory back if more than a few have left since the last time.
    func settle() {
        guard departures.load(ordering: .relaxed) >= Self.few else { return }
        // Whoever sets it back is the one that reclaims.
        guard departures.exchange(0, ordering: .relaxed) >= Self.few else { return }
        reclaim()
    }
}
