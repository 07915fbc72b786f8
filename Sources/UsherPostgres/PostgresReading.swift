package import UsherJournal

/// A journal that reads with statements on a connection: a server's journal, or an inspection.
package protocol PostgresReading: Journal {
    /// Reads from the database.
    ///
    /// - Parameters:
    ///   - key: The session to read, or nil; its submitted changes are written before.
    ///   - body: Reads with the connection's reader.
    /// - Throws: `JournalError`.
    func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer
}

extension PostgresReading {
    /// Returns a session's record.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read(key) { reader throws(JournalError) in try reader.record(of: key) }
    }

    /// Returns the head of a session's record.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read(key) { reader throws(JournalError) in try reader.head(of: key) }
    }

    /// Returns the first entry of a session.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await read(key) { reader throws(JournalError) in try reader.creation(of: key) }
    }

    /// Returns a session's stored answer under an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read(key) { reader throws(JournalError) in try reader.answer(under: idempotencyKey, of: key) }
    }

    /// Returns the session that was opened under an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read(nil) { reader throws(JournalError) in try reader.opening(under: idempotencyKey) }
    }

    /// Returns sessions that have not ended, in the order of their keys.
    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await sessions(matching: SessionQuery(after: key.map { .init(key: $0) }, limit: limit)).map { session in
            SessionListing(key: session.key, head: session.head)
        }
    }

    /// Returns a page of the sessions that match a query.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read(nil) { reader throws(JournalError) in try reader.sessions(matching: query) }
    }

    /// Returns the number of sessions that match a query, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.count(matching: query, limit: limit) }
    }

    /// Returns sessions that may not have been used since a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read(nil) { reader throws(JournalError) in try reader.idle(since: time, limit: limit) }
    }

    /// Returns no sessions, because servers claim work instead, and an inspection wakes no session.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] { [] }

    /// Returns the approximate number of bytes that ended sessions have left.
    package func residue() async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.number(ReadingStatements.residue) }
    }

    /// Returns the builds whose servers use or used the journal.
    package func builds() async throws(JournalError) -> [JournalBuild] {
        try await read(nil) { reader throws(JournalError) in try reader.builds() }
    }

    /// Returns the current verdicts of a build.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read(nil) { reader throws(JournalError) in try reader.holds(for: build, in: keys, limit: limit) }
    }

    /// Returns the number of a build's current verdicts, per kind of reason.
    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read(nil) { reader throws(JournalError) in try reader.holdCounts(for: build) }
    }

    /// Returns the guilty inputs, oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read(nil) { reader throws(JournalError) in try reader.guiltyInputs().map(\.input) }
    }
}
