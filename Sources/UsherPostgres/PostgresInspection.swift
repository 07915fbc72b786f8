package import UsherJournal
import UsherProcess

/// A read-only view of a PostgreSQL journal at one moment, while servers continue to write.
///
/// It is one transaction (`REPEATABLE READ, READ ONLY`) on one connection, does not count as a server, and needs only
/// the SELECT privilege; a hot standby suffices. While the view is open, `VACUUM` cannot free rows that became dead
/// since, so close it within minutes. A standby may end it earlier if replication would have to wait for it.
package final class PostgresInspection: PostgresReading {
    /// The number of sessions that had not ended.
    package let count: Int
    private let stock: ConnectionStock
    private let worker: ConnectionWorker

    /// Begins the transaction.
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

    /// No timeout while idle, because a replay between two reads may take long.
    private static let beginning = """
        SET statement_timeout = 0; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 0;
        BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
        """

    /// Always nil, because an inspection acknowledges no changes.
    package var epoch: String? { nil }

    // MARK: Reads

    /// Reads from the database; after a connection failure all reads fail, because a new snapshot would differ.
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

    private static let refusal = JournalError.unsupported(
        "the journal was opened read-only; ask a server for that")

    /// Refuses a change.
    package func submit(_ change: JournalChange) -> PendingCommit { PendingCommit(.failure(Self.refusal)) }

    /// Refuses.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int { throw Self.refusal }

    /// Refuses.
    package func add(_ input: GuiltyInput) async throws(JournalError) { throw Self.refusal }

    /// Refuses.
    package func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) { throw Self.refusal }

    /// Refuses.
    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        throw Self.refusal
    }

    /// Refuses.
    package func change(_ change: HoldChange) async throws(JournalError) { throw Self.refusal }

    /// Refuses.
    package func backUp() async throws(JournalError) -> Backup { throw Self.refusal }

    // MARK: The end

    /// Ends the transaction, with the connection.
    package func close() async {
        await worker.close()
        stock.close()
    }
}

extension PostgresJournal {
    /// Opens a journal as it is now, to be looked at while servers go on.
    ///
    /// - Parameters:
    ///   - location: The database; a standby will do.
    ///   - keys: The keys by which its contents are sealed.
    /// - Throws: `PostgresJournalError`.
    package static func inspect(
        _ location: PostgresLocation, sealing keys: SealingKeys? = nil
    ) throws(PostgresJournalError) -> PostgresInspection {
        try PostgresInspection(location, keys)
    }
}
