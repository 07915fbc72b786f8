import UsherJournal
import UsherProcess

/// The count of a journal's sessions, on a thread and a connection of its own: with many it takes its time, and nothing
/// else waits for it.
struct SessionCount: Sendable {
    private let location: PostgresLocation

    /// In nanoseconds, the time that it may take; it is taken over from a server that has it for longer than fifty seconds.
    static let patience: Int64 = 40_000_000_000

    init(of location: PostgresLocation) {
        self.location = location
    }

    /// Counts the sessions that have not ended.
    ///
    /// - Throws: `JournalError`.
    func take() async throws(JournalError) -> Int {
        let result = await withCheckedContinuation { continuation in
            let hasThread = SystemThread.start {
                continuation.resume(returning: Result { () throws(JournalError) in try count() })
            }
            if !hasThread {
                continuation.resume(returning: .failure(.unavailable("the system has no thread to count the sessions")))
            }
        }
        return try result.get()
    }

    private func count() throws(JournalError) -> Int {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(to: location)
            // The database does not go on for a server that has given up.
            let limit = "SET statement_timeout = \(Self.patience / 1_000_000)"
            try connection.execute(limit, by: MonotonicClock.now + DatabaseLink.patience)
            return try Self.count(on: connection)
        } catch {
            throw error.readingError("\(location)")
        }
    }

    /// Counts them on a connection.
    ///
    /// - Throws: `PostgresFailure`.
    static func count(on connection: PostgresConnection) throws(PostgresFailure) -> Int {
        let rows = try connection.run(ReadingStatements.count, Parameters(), by: MonotonicClock.now + patience)
        return rows.count > 0 ? Int(rows.integer(0, 0)) : 0
    }
}
