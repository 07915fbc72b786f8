package import Usher
import UsherJournal

extension SessionRegistry {
    /// What a session shows now.
    ///
    /// - Parameter id: The key to it.
    /// - Throws: `SessionError`.
    package func snapshot(of id: SessionID) async throws(SessionError) -> Snapshot {
        try await with(id) { session throws(SessionError) in try await session.snapshot() }
    }

    /// A session's coordinators as JSON.
    ///
    /// - Parameter id: The key to it.
    /// - Throws: `SessionError`.
    package func report(of id: SessionID) async throws(SessionError) -> [UInt8] {
        try await with(id) { session throws(SessionError) in try await session.report() }
    }

    /// Ends a session and gives all its memory back.
    ///
    /// - Parameter id: The key to it.
    /// - Returns: Coordinators that did not leave memory, for the log.
    /// - Throws: `SessionError.ended` when it was over already.
    package func end(_ id: SessionID) async throws(SessionError) -> [Leak] {
        try await with(id) { session throws(SessionError) in
            let leaks = try await session.end(.deleted)
            remove(session)
            return leaks ?? []
        }
    }

    /// Live sessions in the order of their ids.
    ///
    /// - Parameters:
    ///   - id: Where the page begins, exclusive; nil for the first page.
    ///   - limit: How many at most.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func sessions(after id: SessionID? = nil, limit: Int) async throws(SessionError) -> [SessionSummary] {
        let listings = try await settings.ask { journal throws(JournalError) in
            try await journal.sessions(after: id?.journalKey, limit: limit)
        }
        return listings.map { listing in
            let id = SessionID(listing.key)
            return SessionSummary(id, listing.head, awake: shard(of: id).find(id)?.summary())
        }
    }

    /// Lets a session do something; it may hibernate at any moment, and is looked up again then.
    ///
    /// - Parameter use: When one that is not in memory was last used; now unless told.
    func with<Value: Sendable>(
        _ id: SessionID, lastUsed use: Int64? = nil, _ body: (Session) async throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        while true {
            let session = find(id, lastUsed: use)
            // Only now, for one that nobody knows takes no other's room.
            defer { makeRoom(for: session) }
            do throws(SessionError) {
                return try await body(session)
            } catch {
                switch error {
                case .retired: remove(session)
                case .ended, .unknown:
                    remove(session)
                    throw error
                default: throw error
                }
            }
        }
    }

    func find(_ id: SessionID, lastUsed use: Int64? = nil) -> Session {
        let shard = shard(of: id)
        return shard.find(id) ?? shard.session(id) { Session(id, settings: settings, lastUsed: use) }
    }
}
