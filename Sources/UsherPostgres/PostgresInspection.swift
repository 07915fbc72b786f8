package import UsherJournal
import UsherProcess

/// A snapshot of a journal in PostgreSQL, for inspection while servers run.
///
/// The snapshot is one transaction (`REPEATABLE READ, READ ONLY`) on one connection. The inspection does not register
/// as a server and writes nothing. The privilege SELECT and a hot standby are sufficient. While the snapshot is open,
/// `VACUUM` cannot remove rows that became dead after the snapshot began. Therefore close the snapshot within minutes,
/// not hours. A standby may end the transaction earlier, if replication would have to wait for the transaction.
package final class PostgresInspection: ThreadedJournal {
    /// The number of sessions that had not ended when the snapshot began.
    package let count: Int
    private let stock: ConnectionStock
    private let worker: ConnectionWorker

    /// Opens a snapshot; a standby is sufficient.
    ///
    /// - Throws: `PostgresJournalError`.
    package init(_ location: PostgresLocation, sealing keys: SealingKeys? = nil) throws(PostgresJournalError) {
        let (check, patience) = (StartCheck(location, .relaxed, keys), DatabaseLink.countingPatience)
        var location = location
        location.takesWrites = false
        let link = DatabaseLink(to: location, sealing: keys, patience: patience) {
            connection, deadline throws(PostgresFailure) in
            try connection.execute(Self.beginning, by: deadline)
            try ServerFitness.check(connection, for: .relaxed, by: deadline)
            try check.checkKeys(connection)
        }
        count = try check.told { () throws(PostgresFailure) in
            Int(try link.run(ReadingStatements.count, by: MonotonicClock.now).integer(0, 0))
        }
        stock = ConnectionStock([link])
        guard let worker = ConnectionWorker(stock) else {
            throw .unfit("\(location)", reason: "the system has no thread left for it")
        }
        self.worker = worker
    }

    /// The transaction's duration is not limited, because a replay between two reads may take long.
    private static let beginning = """
        SET statement_timeout = 0; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 0;
        BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
        """

    /// Nil, because an inspection acknowledges nothing.
    package var epoch: String? { nil }

    // MARK: Reads

    /// Uses the contents; after a failure of the connection, every further use fails, because a new connection would
    /// have another snapshot.
    package func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await worker.ask { link throws(JournalError) in
            guard link.losses == 0 else {
                let failure = PostgresFailure(.configuration, "its connection is lost")
                throw failure.inspectionError("\(link.location)")
            }
            do throws(JournalError) { return try body(Reader(link, retries: false)) } catch {
                if !error.concernsOneSession { link.close() }
                throw error
            }
        }
    }

    // MARK: Refusals

    /// The error with which every change is rejected.
    package let refusal: JournalError? = .readOnly

    /// Rejects a change.
    package func submit(_ change: JournalChange) -> PendingCommit { PendingCommit(.failure(.readOnly)) }

    /// Throws an error, because the database has its own backups.
    package func backUp() async throws(JournalError) -> Backup { throw .readOnly }

    // MARK: The end

    package func close() async {
        await worker.close()
        stock.close()
    }
}
