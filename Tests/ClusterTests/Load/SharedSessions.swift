import Synchronization

/// The sessions that clients share: some that last, and one that any of them may end while others use it.
final class SharedSessions: Sendable {
    private let lasting: [LoadSession]
    private let current: Mutex<LoadSession>

    init(lasting: [LoadSession], mortal: LoadSession) {
        self.lasting = lasting
        current = Mutex(mortal)
    }

    /// The one that may be ended.
    var mortal: LoadSession { current.withLock(\.self) }

    /// One of them by chance: each has several writers.
    func choose() -> LoadSession { (lasting + [mortal]).randomElement() ?? mortal }

    /// Has another session take the place of one that has ended, unless somebody else was first.
    func replace(_ ended: LoadSession, by session: LoadSession) {
        current.withLock { if $0 === ended { $0 = session } }
    }
}
