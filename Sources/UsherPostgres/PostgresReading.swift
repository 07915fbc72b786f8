package import UsherJournal

/// A journal that reads by statements on a connection: a server's journal or an inspection.
package protocol PostgresReading: Journal {
    /// Reads data.
    ///
    /// - Parameters:
    ///   - key: The session to read. The read runs after all of its changes that this server submitted before.
    ///   - body: Reads the data.
    func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer
}

extension PostgresReading {
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read(key) { reader throws(JournalError) in try reader.record(of: key) }
    }

    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read(key) { reader throws(JournalError) in try reader.head(of: key) }
    }

    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await read(key) { reader throws(JournalError) in try reader.creation(of: key) }
    }

    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read(key) { reader throws(JournalError) in try reader.answer(under: idempotencyKey, of: key) }
    }

    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read(nil) { reader throws(JournalError) in try reader.opening(under: idempotencyKey) }
    }

    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await sessions(matching: SessionQuery(after: key.map { .init(key: $0) }, limit: limit)).map { session in
            SessionListing(key: session.key, head: session.head)
        }
    }

    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read(nil) { reader throws(JournalError) in try reader.sessions(matching: query) }
    }

    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.count(matching: query, limit: limit) }
    }

    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read(nil) { reader throws(JournalError) in try reader.idle(since: time, limit: limit) }
    }

    /// Returns an empty list: servers claim work instead, and an inspection runs none.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] { [] }

    package func residue() async throws(JournalError) -> Int {
        try await read(nil) { reader throws(JournalError) in try reader.number(ReadingStatements.residue) }
    }

    package func builds() async throws(JournalError) -> [JournalBuild] {
        try await read(nil) { reader throws(JournalError) in try reader.builds() }
    }

    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read(nil) { reader throws(JournalError) in try reader.holds(for: build, in: keys, limit: limit) }
    }

    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read(nil) { reader throws(JournalError) in try reader.holdCounts(for: build) }
    }

    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read(nil) { reader throws(JournalError) in try reader.guiltyInputs().map(\.input) }
    }
}
