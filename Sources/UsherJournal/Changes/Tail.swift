import Synchronization

/// The end of a session's record, to which one tree appends.
///
/// When a change fails, those that build on it must fail too, also where they have been submitted already. The tail
/// tells: it breaks with the first, and a journal keeps nothing at a broken tail.
package final class WriteChain: Sendable {
    private let error = Mutex<JournalError?>(nil)
    private let broken = Atomic(false)

    /// Makes a tail at which nothing has failed.
    package init() {}

    /// Whether a change at this tail has failed: the tree behind it shows what never happened.
    package var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// Why it broke.
    package var failure: JournalError? { isBroken ? error.withLock { $0 } : nil }

    /// Notes that a change has failed; the first reason counts.
    ///
    /// - Parameter error: Why.
    package func fail(_ error: JournalError) {
        self.error.withLock { $0 = $0 ?? error }
        broken.store(true, ordering: .releasing)
    }
}
