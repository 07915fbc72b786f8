package import UsherJournal
import UsherProcess

/// A snapshot of a journal in PostgreSQL, for inspection while servers run.
///
/// The snapshot is one transaction (`REPEATABLE READ, READ ONLY`) on one connection. The inspection does not register
/// as a server, writes nothing, and only needs the privilege SELECT; a hot standby is sufficient. While the snapshot is
/// open, `VACUUM` cannot remove rows that have become dead since, so close it within minutes, not hours. A standby may
/// end the transaction earlier, if replication would have to wait for it.
package final class PostgresInspection: PostgresThreads {
    /// The number of sessions that had not ended.
    package let count: Int
    private let stock: ConnectionStock
    private let worker: ConnectionWorker

    fileprivate init(_ location: PostgresLocation, _ keys: SealingKeys?) throws(PostgresJournalError) {
        let location = location.forReading
        let connection: PostgresConnection
        do throws(PostgresFailure) {
            connection = try PostgresConnection(to: location)
            try connection.execute(Self.beginning, by: MonotonicClock.now + DatabaseLink.patience)
        } catch {
            throw .unreachable("\(location)", reason: error.message)
        }
        count = try StartCheck(location, .relaxed, keys).look(on: connection)
        stock = ConnectionStock([DatabaseLink(keeping: connection, to: location, sealing: keys)])
        guard let worker = ConnectionWorker(stock) else {
            throw .unfit("\(location)", reason: "the system has no thread left for it")
        }
        self.worker = worker
    }

    /// The transaction has no limits on its duration, because a replay may take long between two reads.
    private static let beginning = """
        SET statement_timeout = 0; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 0;
        BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
        """

    /// Nil, because an inspection acknowledges nothing.
    package var epoch: String? { nil }

    // MARK: Reads

    /// Reads data.
    ///
    /// After a failure of the connection, every read fails, because a new connection would have another snapshot.
    package func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await worker.ask { link throws(JournalError) in
            do throws(JournalError) { return try body(Reader(link, retries: false)) } catch {
                if !error.concernsOneSession { link.close() }
                throw error
            }
        }
    }

    // MARK: Refusals

    /// The error of all changes.
    package let refusal: JournalError? = .readOnly

    /// Rejects a change.
    package func submit(_ change: JournalChange) -> PendingCommit { PendingCommit(.failure(.readOnly)) }

    /// Throws an error; use the database's own backups.
    package func backUp() async throws(JournalError) -> Backup { throw .readOnly }

    // MARK: The end

    package func close() async {
        await worker.close()
        stock.close()
    }
}

extension PostgresJournal {
    /// Opens a snapshot of a journal for inspection while servers run; a standby is sufficient.
    ///
    /// - Throws: `PostgresJournalError`.
    package static func inspect(
        _ location: PostgresLocation, sealing keys: SealingKeys? = nil
    ) throws(PostgresJournalError) -> PostgresInspection {
        try PostgresInspection(location, keys)
    }
}

extension JournalError {
    fileprivate static let readOnly = JournalError.unsupported(
        "the journal was opened read-only; ask a server for that")
}
