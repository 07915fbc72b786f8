package import UsherJournal

/// A journal whose reads are statements on a connection: a server's journal, and one that is only looked at.
package protocol PostgresReading: Journal {
    /// Reads something.
    ///
    /// - Parameters:
    ///   - key: The session that is read: everything that was submitted of it here is done before.
    ///   - body: The reading.
    /// - Throws: `JournalError`.
    func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer
}

extension PostgresReading {
    /// The record of a session.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read(key) { reader throws(JournalError) in try reader.record(of: key) }
    }

    /// The header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read(key) { reader throws(JournalError) in try reader.head(of: key) }
    }

    /// The first entry of a session.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await read(key) { reader throws(JournalError) in try reader.creation(of: key) }
    }

    /// The answer that is stored of a session under an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read(key) { reader throws(JournalError) in try reader.answer(under: idempotencyKey, of: key) }
    }

    /// The session that was opened under an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read(nil) { reader throws(JournalError) in try reader.opening(under: idempotencyKey) }
    }

    /// Sessions that have not ended, in the order of their keys.
    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await listings(of: SessionQuery(after: key.map { .init(key: $0) }, limit: limit))
    }

    /// Sessions of a subject that have not ended, in the order of their keys.
    package func sessions(
        of subject: String, after key: JournalKey?, limit: Int
    ) async throws(JournalError) -> [SessionListing] {
        try await listings(of: SessionQuery(for: subject, after: key.map { .init(key: $0) }, limit: limit))
    }

    private func listings(of query: SessionQuery) async throws(JournalError) -> [SessionListing] {
        try await sessions(matching: query).map { SessionListing(key: $0.key, head: $0.head) }
    }

    /// The sessions that a question is for, those of a page.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read(nil) { reader throws(JournalError) in try reader.sessions(matching: query) }
    }

    /// The number of sessions that a question is for, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.count(matching: query, limit: limit) }
    }

    /// Sessions that may not have been used since a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read(nil) { reader throws(JournalError) in try reader.idle(since: time, limit: limit) }
    }

    /// None: servers claim work instead, and a journal that is looked at wakes nobody.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] { [] }

    /// About the bytes that ended sessions have left.
    package func residue() async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.number(ReadingStatements.residue) }
    }

    /// The builds whose servers use, or have used, the journal.
    package func builds() async throws(JournalError) -> [JournalBuild] {
        try await read(nil) { reader throws(JournalError) in try reader.builds() }
    }

    /// The verdicts of a build that stand.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read(nil) { reader throws(JournalError) in try reader.holds(for: build, in: keys, limit: limit) }
    }

    /// The number of a build's verdicts that stand, by the kinds of their reasons.
    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read(nil) { reader throws(JournalError) in try reader.holdCounts(for: build) }
    }

    /// The guilty inputs, the oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read(nil) { reader throws(JournalError) in try reader.guiltyInputs().map(\.input) }
    }
}
