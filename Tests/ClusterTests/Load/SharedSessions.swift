import Synchronization

/// The sessions that clients share: some that last, and one that any client may end while others use it.
final class SharedSessions: Sendable {
    private let lasting: [LoadSession]
    private let current: Mutex<LoadSession>

    init(lasting: [LoadSession], mortal: LoadSession) {
        self.lasting = lasting
        current = Mutex(mortal)
    }

    /// The session that may be ended.
    var mortal: LoadSession { current.withLock(\.self) }

    /// Returns a random session; each has several writers.
    func choose() -> LoadSession { (lasting + [mortal]).randomElement() ?? mortal }

    /// Replaces an ended session, unless another client has already replaced it.
    func replace(_ ended: LoadSession, by session: LoadSession) {
        current.withLock { if $0 === ended { $0 = session } }
    }
}
