import Synchronization
import Usher
import UsherJournal

/// The sessions and creations that wait for a verdict: they were in flight at a crash, and may end this process too.
///
/// Their requests wait without a thread. Most of the time there are none, and to know that is one atomic load.
final class TrialHolds: Sendable {
    /// Something that is held.
    enum Subject: Hashable, Sendable {
        /// A session, with all that it has to do.
        case session(SessionID)
        /// Every creation with the same app, options and link.
        case creation(GuiltyInput.Identity)
    }

    private let isOccupied = Atomic(false)
    private let waiters = Mutex<[Subject: [Latch<Bool>]]>([:])

    /// True where nothing is held.
    var isEmpty: Bool { !isOccupied.load(ordering: .acquiring) }

    /// Holds a subject until `release`.
    func hold(_ subject: Subject) {
        waiters.withLock { $0[subject] = [] }
        isOccupied.store(true, ordering: .releasing)
    }

    /// Lets all go on that wait for a subject.
    func release(_ subject: Subject) {
        let latches = waiters.withLock { waiters in
            defer { if waiters.isEmpty { isOccupied.store(false, ordering: .releasing) } }
            return waiters.removeValue(forKey: subject) ?? []
        }
        for latch in latches { latch.open(with: true) }
    }

    /// True where a subject is held.
    func contains(_ subject: Subject) -> Bool {
        !isEmpty && waiters.withLock { $0[subject] != nil }
    }

    /// Waits until a subject is held no more.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - duration: The time to wait at most.
    ///   - clock: The clock.
    ///   - waits: Ends the waiting where the server is about to go.
    /// - Returns: False where it still is held.
    func wait(
        for subject: Subject, within duration: Duration, by clock: any Clock, among waits: OpenWaits
    ) async -> Bool {
        let latch = Latch<Bool>()
        let isHeld = waiters.withLock { $0[subject]?.append(latch) != nil }
        guard isHeld else { return true }
        var isFree = false
        await waits.run(
            within: duration, by: clock, { isFree = await latch.wait() }, endingBy: { latch.open(with: false) })
        if !isFree { waiters.withLock { $0[subject]?.removeAll { $0 === latch } } }
        return isFree
    }
}
