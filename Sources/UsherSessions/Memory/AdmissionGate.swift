import Synchronization
import UsherMetrics

/// The kinds of work that a server with little room refuses, in the order in which it does.
///
/// The end of a session, an operator's look at it and the server's health are never refused.
package enum Admission: Int, CaseIterable, Comparable, Sendable {
    /// Another session.
    case session
    /// Another stream.
    case stream
    /// A request on a session that has to be woken for it.
    case waking
    /// A user's input, or look at a session.
    case input

    /// The order in which they are refused.
    package static func < (left: Admission, right: Admission) -> Bool { left.rawValue < right.rawValue }
}

/// The gate that work has to pass: it is closed to some kinds of it while memory or connections are scarce.
///
/// Between two looks at the memory in use it counts what it lets in: a burst takes more memory than there is before anybody
/// looks. So what is in use now is at most what was in use at the last look, and what was let in without having its memory
/// by then.
package final class AdmissionGate: Sendable {
    /// The raw value of the last kind that is refused, and with it all before; -1 while none is.
    private let refused = Atomic(-1)
    private let refusals = Counters()
    /// Bytes of memory that work was expected to take, of all that was let in so far.
    private let admitted = Atomic(0)
    /// Bytes of these whose work is done: a look finds what it has really taken.
    private let settled = Atomic(0)
    /// The memory in use at the last look, without what was settled by then.
    private let base = Atomic(0)
    private let look = Mutex<Measurement?>(nil)

    private struct Measurement {
        let budget: MemoryBudget
        let take: @Sendable () -> Void
    }

    /// Creates a gate that is open, with no limit.
    package init() {}

    /// The last kind that is refused, and with it all before; nil while none is.
    package var closed: Admission? { Admission(rawValue: refused.load(ordering: .relaxed)) }

    /// Refuses a kind of work from now on, and all before it; none where nil.
    package func close(to work: Admission?) {
        refused.store(work?.rawValue ?? -1, ordering: .relaxed)
    }

    /// The number of times that a kind of work was refused.
    package func refusals(of work: Admission) -> Int { refusals[work.rawValue] }

    /// Lets work through.
    ///
    /// - Parameters:
    ///   - work: The kind of work.
    ///   - bytes: The memory that it may take, which counts until `settle`; 0 if it is too little to be counted.
    /// - Throws: `SessionError.noRoom` while its kind is refused, or there is no room for so many bytes.
    package func admit(_ work: Admission, expecting bytes: Int = 0) throws(SessionError) {
        guard refuses(work) || bytes > 0 && !expect(bytes, for: work) else { return }
        refusals.add(at: work.rawValue)
        throw .noRoom
    }

    /// Counts the memory that work may take which is not refused.
    package func expect(_ bytes: Int) { admitted.wrappingAdd(bytes, ordering: .relaxed) }

    /// Work is done, and has the memory that it takes, or has failed.
    ///
    /// - Parameter bytes: Those that it was expected to take.
    package func settle(_ bytes: Int) { settled.wrappingAdd(bytes, ordering: .releasing) }

    private func expect(_ bytes: Int, for work: Admission) -> Bool {
        expect(bytes)
        if hasRoom(for: work) { return true }
        // What was let in may have taken less than it might.
        look.withLock { $0 }?.take()
        if hasRoom(for: work) { return true }
        admitted.wrappingSubtract(bytes, ordering: .relaxed)
        return false
    }

    private func hasRoom(for work: Admission) -> Bool {
        guard let budget = look.withLock({ $0?.budget }) else { return true }
        return base.load(ordering: .relaxed) &+ admitted.load(ordering: .relaxed) < budget.bytes(before: work)
    }

    // MARK: Looks

    /// Sets the limit of what is let in.
    ///
    /// - Parameters:
    ///   - budget: The memory that may be in use.
    ///   - look: Looks at the memory in use, and calls `note`; unless that has been done just now.
    package func limit(to budget: MemoryBudget, look: @escaping @Sendable () -> Void) {
        self.look.withLock { $0 = Measurement(budget: budget, take: look) }
    }

    /// The bytes that are settled: to be asked for before a look.
    package var settledBytes: Int { settled.load(ordering: .acquiring) }

    /// Notes the memory in use.
    ///
    /// - Parameters:
    ///   - used: The bytes in use.
    ///   - settled: What `settledBytes` was before they were counted.
    package func note(used: Int, settled: Int) { base.store(used &- settled, ordering: .relaxed) }

    /// True while a kind of work is refused.
    package func refuses(_ work: Admission) -> Bool { work.rawValue <= refused.load(ordering: .relaxed) }
}
