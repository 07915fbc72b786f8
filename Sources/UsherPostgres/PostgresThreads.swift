package import UsherJournal

/// A journal whose threads use connections, either a server's or an inspection's.
package protocol PostgresThreads: ThreadedJournal {
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

extension PostgresThreads {
    /// Uses the contents on a thread of the journal.
    package func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await read(key) { reader throws(JournalError) in try body(reader) }
    }

    /// Returns the record of a session.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read(key) { reader throws(JournalError) in try reader.record(of: key) }
    }

    /// Returns the header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read(key) { reader throws(JournalError) in try reader.head(of: key) }
    }
}
