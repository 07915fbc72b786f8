package import UsherJournal

extension SQLiteJournal {
    /// All that is kept of a session.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read { store throws(JournalError) in try store.record(of: key) }
    }

    /// What is kept of a session beside its entries.
    package func head(of key: JournalKey) async throws(JournalError) -> SessionHeader? {
        try await read { store throws(JournalError) in try store.head(of: key) }
    }

    /// The answer that a session keeps under an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read { store throws(JournalError) in try store.answer(under: idempotencyKey, of: key) }
    }

    /// The session that was opened under an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read { store throws(JournalError) in try store.opening(under: idempotencyKey) }
    }

    /// Sessions that have not ended, in the order of their keys.
    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { store throws(JournalError) in try store.sessions(after: key, limit: limit) }
    }

    /// Sessions that may not have been used since a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { store throws(JournalError) in try store.idle(since: time, limit: limit) }
    }

    /// Sessions that have something to do without being asked.
    package func due(by time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { store throws(JournalError) in try store.due(by: time, limit: limit) }
    }

    private func read<Answer: Sendable>(
        _ body: @escaping @Sendable (Store) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await desk.ask { worker, continuation in
            continuation.resume(returning: Result { () throws(JournalError) in try body(worker.store) })
        }
    }
}
