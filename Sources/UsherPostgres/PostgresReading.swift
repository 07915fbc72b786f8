package import UsherJournal

/// A journal whose reads are statements on a connection, either a server's or an inspection's.
package protocol PostgresReading: Journal {
    /// Reads data.
    ///
    /// - Parameters:
    ///   - key: The session to read; its changes that were submitted here are complete before.
    ///   - body: Reads the data.
    /// - Throws: `JournalError`.
    func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer
}

extension PostgresReading {
    /// Returns the record of a session.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read(key) { reader throws(JournalError) in try reader.record(of: key) }
    }

    /// Returns the header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read(key) { reader throws(JournalError) in try reader.head(of: key) }
    }

    /// Returns the first entry of a session.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await read(key) { reader throws(JournalError) in try reader.creation(of: key) }
    }

    /// Returns the response that a session stores for an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read(key) { reader throws(JournalError) in try reader.answer(under: idempotencyKey, of: key) }
    }

    /// Returns the session that was opened with an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read(nil) { reader throws(JournalError) in try reader.opening(under: idempotencyKey) }
    }

    /// Returns a page of the sessions that match a query.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read(nil) { reader throws(JournalError) in try reader.sessions(matching: query) }
    }

    /// Returns the number of sessions that match a query, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.count(matching: query, limit: limit) }
    }

    /// Returns sessions whose last recorded use is not after a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read(nil) { reader throws(JournalError) in try reader.idle(since: time, limit: limit) }
    }

    /// Returns an empty list: servers claim work instead, and an inspection runs none.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] { [] }

    /// Returns the approximate number of bytes that ended sessions still use.
    package func residue() async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.number(ReadingStatements.residue) }
    }

    /// Returns the builds whose servers use, or have used, the journal.
    package func builds() async throws(JournalError) -> [JournalBuild] {
        try await read(nil) { reader throws(JournalError) in try reader.builds() }
    }

    /// Returns a build's valid verdicts.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read(nil) { reader throws(JournalError) in try reader.holds(for: build, in: keys, limit: limit) }
    }

    /// Returns the number of a build's valid verdicts by the kind of their reason.
    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read(nil) { reader throws(JournalError) in try reader.holdCounts(for: build) }
    }

    /// Returns the guilty inputs, the oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read(nil) { reader throws(JournalError) in try reader.guiltyInputs().map(\.input) }
    }
}
