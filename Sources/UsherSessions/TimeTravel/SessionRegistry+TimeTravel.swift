import Usher
import UsherJSON
package import UsherJournal

extension SessionRegistry {
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

    /// Opens a session that begins where another was at a revision.
    ///
    /// - Parameters:
    ///   - id: The key to the other, which stays as it is.
    ///   - revision: The revision.
    /// - Returns: The new session, and what it shows.
    /// - Throws: `SessionError`, and then there is no new session.
    package func fork(_ id: SessionID, at revision: Int) async throws(SessionError) -> (Session, Snapshot) {
        try reserve()
        defer { release() }
        let (record, tree) = try await rebuild(id, at: revision)
        let fork = SessionID(from: random)
        let bytes = record.entries.prefix(revision).map { $0.bytes(of: fork.journalKey) }
        let now = settings.clock.now().milliseconds
        let head = SessionHeader(
            app: record.head.app, created: now, revision: revision, time: now, bytes: bytes.reduce(0) { $0 + $1.count },
            salt: random.next())
        let live = Live(tree, head: head, id: fork, settings: settings)
        return try await insert(Opened(live: live, settlement: live.begin(with: bytes, key: nil)), isFork: true)
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
    private func rebuild(
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
