package import Usher
import UsherJSON
package import UsherJournal

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
            try await session.end(.deleted) ?? []
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
            return SessionSummary(id, listing.head, awake: store.find(id)?.summary())
        }
    }

    // MARK: Earlier revisions

    /// A session's inputs as the journal keeps them.
    ///
    /// - Parameter id: The key to it.
    /// - Throws: `SessionError`.
    package func entries(of id: SessionID) async throws(SessionError) -> [Entry] {
        try await record(of: id).entries
    }

    /// The state that a session had at an earlier revision, as JSON.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The revision.
    /// - Throws: `SessionError`, `noRevision` where there was none or this build cannot show it.
    package func state(of id: SessionID, at revision: Int) async throws(SessionError) -> [UInt8] {
        let (record, tree) = try await rebuild(id, at: revision)
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        tree.writeState(of: id, app: record.head.app, into: &writer)
        return writer.bytes
    }

    /// The coordinators that a session had at an earlier revision, as JSON.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The revision.
    /// - Throws: `SessionError`, `noRevision` where there was none or this build cannot show it.
    package func report(of id: SessionID, at revision: Int) async throws(SessionError) -> [UInt8] {
        try await rebuild(id, at: revision).tree.report
    }

    /// Makes a copy of the journal that another process can read.
    ///
    /// - Throws: `SessionError`.
    package func backUp() async throws(SessionError) -> Backup {
        try await settings.ask { journal throws(JournalError) in try await journal.backUp() }
    }

    private func record(of id: SessionID) async throws(SessionError) -> SessionRecord {
        let record = try await settings.ask { journal throws(JournalError) in
            try await journal.record(of: id.journalKey)
        }
        guard let record else { throw .unknown }
        if let tombstone = Tombstone(record.head) { throw .ended(tombstone) }
        return record
    }

    /// The whole record of a session, and the tree as it was at a revision.
    func rebuild(
        _ id: SessionID, at revision: Int
    ) async throws(SessionError) -> sending (record: SessionRecord, tree: Tree) {
        let record = try await record(of: id)
        let newest = record.entries.count
        guard (1...max(1, newest)).contains(revision) else {
            throw .noRevision("the session has the revisions 1 to \(newest), and no revision \(revision)")
        }
        do {
            let entries = record.entries.prefix(revision)
            return (record, try await Replay(entries, apps: apps, limits: settings.bounds.limits).tree())
        } catch let divergence as Divergence {
            throw .noRevision("this server cannot show revision \(revision): \(divergence)")
        } catch {
            throw SessionError(restoring: error)
        }
    }
}
