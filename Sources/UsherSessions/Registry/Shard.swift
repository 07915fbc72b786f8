import Synchronization

/// A part of all sessions, behind a lock of its own, so that requests seldom wait for each other.
final class Shard: Sendable {
    private struct Contents {
        var sessions: [SessionID: Session] = [:]
        var graveyard: Graveyard
    }

    private let contents: Mutex<Contents>

    init(tombstones: Int) {
        contents = Mutex(Contents(graveyard: Graveyard(capacity: tombstones)))
    }

    func insert(_ session: Session) {
        contents.withLock { $0.sessions[session.id] = session }
    }

    func lookUp(_ id: SessionID) -> Lookup {
        contents.withLock { contents in
            if let session = contents.sessions[id] { return .live(session) }
            return contents.graveyard[id].map { .ended($0) } ?? .unknown
        }
    }

    /// Puts a tombstone in a session's place.
    ///
    /// - Returns: Whether the session was there.
    func bury(_ id: SessionID, under tombstone: Tombstone) -> Bool {
        let session = contents.withLock { contents -> Session? in
            guard let session = contents.sessions.removeValue(forKey: id) else { return nil }
            contents.graveyard.add(tombstone, for: id)
            return session
        }
        // The last reference goes here, outside the lock.
        return session != nil
    }

    /// Sessions whose ids come after one, in the order of their ids.
    func sessions(after id: SessionID?, limit: Int) -> [Session] {
        let following = contents.withLock { contents in
            contents.sessions.values.filter { session in id.map { session.id > $0 } ?? true }
        }
        return Array(following.sorted { $0.id < $1.id }.prefix(limit))
    }
}
