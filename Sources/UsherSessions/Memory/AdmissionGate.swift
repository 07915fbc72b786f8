import Synchronization
import UsherMetrics

/// The kinds of work that a server refuses when memory or connections are scarce, the first kind first.
///
/// The server never refuses to end a session, to show a session to an operator, or to report its health.
package enum Admission: Int, CaseIterable, Comparable, Sendable {
    /// Opening a session.
    case session
    /// Opening a stream.
    case stream
    /// A request for a session that must be woken.
    case waking
    /// A user's input, or a read of a session.
    case input

    /// Returns `true` if the server refuses the left kind before the right kind.
    package static func < (left: Admission, right: Admission) -> Bool { left.rawValue < right.rawValue }
}

/// Admits work, or refuses kinds of work while memory or connections are scarce.
///
/// A burst of requests can use up all memory before the next measurement. Between two measurements, the gate therefore
/// adds up the memory that admitted work is expected to need. The gate's estimate is the last measurement, plus the
/// expected memory of work that was not done before the measurement.
package final class AdmissionGate: Sendable {
    /// The raw value of the last kind of refused work (`closed`); -1 if no work is refused.
    private let refused = Atomic(-1)
    private let refusals = Counters()
    /// The number of bytes that all work admitted so far was expected to need.
    private let admitted = Atomic(0)
    /// The part of `admitted` that belongs to done work, whose memory the measurements include.
    private let settled = Atomic(0)
    /// The memory in use at the last measurement, minus the bytes that were settled before the measurement.
    private let base = Atomic(0)
    private let look = Mutex<Measurement?>(nil)

    private struct Measurement {
        let budget: MemoryBudget
        let take: @Sendable () -> Void
    }

    /// Creates an open gate without a limit.
    package init() {}

    /// The last kind of refused work, together with all kinds before this one; `nil` if no work is refused.
    package var closed: Admission? { Admission(rawValue: refused.load(ordering: .relaxed)) }

    /// From now on, refuses a kind of work and all kinds before this one; with `nil`, refuses nothing.
    package func close(to work: Admission?) {
        refused.store(work?.rawValue ?? -1, ordering: .relaxed)
    }

    /// Returns the number of times that a kind of work was refused.
    package func refusals(of work: Admission) -> Int { refusals[work.rawValue] }

    /// Admits work that may need some bytes (0 if negligible), which count until `settle` is called.
    ///
    /// - Throws: `SessionError.noRoom` if this kind of work is refused, or if there is no room for the bytes.
    package func admit(_ work: Admission?, expecting bytes: Int = 0) throws(SessionError) {
        guard let work else { return expect(bytes) }
        guard refuses(work) || bytes > 0 && !expect(bytes, for: work) else { return }
        refusals.add(at: work.rawValue)
        throw .noRoom
    }

    /// Counts the bytes that work may need, for work that is never refused.
    package func expect(_ bytes: Int) { admitted.wrappingAdd(bytes, ordering: .relaxed) }

    /// Called when work is done or has failed, because the next measurement then includes the work's memory.
    ///
    /// `bytes` is the number that `admit` or `expect` counted for the work.
    package func settle(_ bytes: Int) { settled.wrappingAdd(bytes, ordering: .releasing) }

    private func expect(_ bytes: Int, for work: Admission) -> Bool {
        expect(bytes)
        if hasRoom(for: work) { return true }
        // Measures the memory before refusing the work, because earlier work may have needed less memory than expected.
        look.withLock { $0 }?.take()
        if hasRoom(for: work) { return true }
        admitted.wrappingSubtract(bytes, ordering: .relaxed)
        return false
    }

    private func hasRoom(for work: Admission) -> Bool {
        guard let budget = look.withLock({ $0?.budget }) else { return true }
        return base.load(ordering: .relaxed) &+ admitted.load(ordering: .relaxed) < budget.bytes(before: work)
    }

    // MARK: Measurements

    /// Sets the limit for admitted work; `look` measures the memory and calls `note`, unless the last measurement is
    /// recent.
    package func limit(to budget: MemoryBudget, look: @escaping @Sendable () -> Void) {
        self.look.withLock { $0 = Measurement(budget: budget, take: look) }
    }

    /// The number of settled bytes, to be read before a measurement and passed to `note`.
    package var settledBytes: Int { settled.load(ordering: .acquiring) }

    /// Records a measurement of the bytes in use; `settled` is the value of `settledBytes` before the measurement.
    package func note(used: Int, settled: Int) { base.store(used &- settled, ordering: .relaxed) }

    /// Returns a Boolean value that indicates whether a kind of work is refused now.
    package func refuses(_ work: Admission) -> Bool { work.rawValue <= refused.load(ordering: .relaxed) }
}
