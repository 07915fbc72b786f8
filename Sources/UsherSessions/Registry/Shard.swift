import Synchronization

/// A part of the sessions in memory, behind a lock of its own, so that requests seldom wait for each other.
final class Shard: Sendable {
    private struct Contents {
        var sessions: [SessionID: Session] = [:]
        var queue = UseQueue()
    }

    private let contents = Mutex(Contents())

    var count: Int { contents.withLock { $0.sessions.count } }

    func insert(_ session: Session) {
        contents.withLock { contents in
            contents.sessions[session.id] = session
            contents.queue.add(session)
        }
    }

    /// The session in memory with an id, made where there is none.
    func session(_ id: SessionID, _ make: () -> Session) -> Session {
        contents.withLock { contents in
            if let session = contents.sessions[id] { return session }
            let session = make()
            contents.sessions[id] = session
            contents.queue.add(session)
            return session
        }
    }

    /// The session with an id, if it is in memory.
    func find(_ id: SessionID) -> Session? {
        contents.withLock { $0.sessions[id] }
    }

    /// Lets a session go, unless another has taken its place.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    func remove(_ session: Session) -> Bool {
        let removed = contents.withLock { contents -> Session? in
            guard contents.sessions[session.id] === session else { return nil }
            contents.sessions[session.id] = nil
            let sessions = contents.sessions
            contents.queue.noteLeaving { sessions[$0.id] === $0 }
            return session
        }
        // The last reference may go here, outside the lock.
        return removed != nil
    }

    /// The session that has not been used for the longest time, if that is long enough ago.
    ///
    /// It goes to the end of the queue, as if it had been used: whoever asks decides whether it leaves.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func takeIdle(since time: Int64) -> Session? {
        contents.withLock { contents in
            let sessions = contents.sessions
            return contents.queue.takeIdle(since: time) { sessions[$0.id] === $0 }
        }
    }

    /// When the session that has not been used for the longest time was last used.
    var oldestUse: Int64? {
        contents.withLock { contents in
            let sessions = contents.sessions
            return contents.queue.oldestUse { sessions[$0.id] === $0 }
        }
    }
}
