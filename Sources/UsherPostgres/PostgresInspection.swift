package import UsherJournal
import UsherProcess

/// A journal in PostgreSQL as it was at one moment, to be looked at while servers go on: one transaction that reads
/// (`REPEATABLE READ, READ ONLY`), on one connection.
///
/// It is no server on the journal, writes nothing, and asks for no more than SELECT; a hot standby will do. While it is open
/// the database keeps all rows that it may still read, so `VACUUM` frees nothing of what became dead since: it is for
/// minutes, and not to be kept for hours. A standby may end it sooner, where replication would have to wait for it.
package final class PostgresInspection: Journal {
    /// The number of sessions that had not ended.
    package let count: Int
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
        count = try StartCheck(location, .sync, keys).look(on: connection)
        let link = DatabaseLink(keeping: connection, to: location, sealing: keys)
        guard let worker = ConnectionWorker(link) else {
            throw .unfit("\(location)", reason: "the system has no thread for it")
        }
        self.worker = worker
    }

    /// A replay takes its time between two reads.
    private static let beginning = """
        SET statement_timeout = 0; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 0;
        BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
        """

    /// None: nothing is acknowledged here.
    package var epoch: String? { nil }

    // MARK: Reads

    /// Reads something; after a failure of the connection nothing more is read, for that would be of another moment.
    private func read<Answer: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await worker.ask { link throws(JournalError) in
            do throws(JournalError) { return try body(Reader(link, retries: false)) } catch {
                if !error.concernsOneSession { link.close() }
                throw error
            }
        }
    }

    /// The record of a session.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await read { reader throws(JournalError) in try reader.record(of: key) }
    }

    /// The header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read { reader throws(JournalError) in try reader.head(of: key) }
    }

    /// The answer that is stored of a session under an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read { reader throws(JournalError) in try reader.answer(under: idempotencyKey, of: key) }
    }

    /// The session that was opened under an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read { reader throws(JournalError) in try reader.opening(under: idempotencyKey) }
    }

    /// Sessions that had not ended, in the order of their keys.
    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { reader throws(JournalError) in try reader.sessions(after: key, limit: limit) }
    }

    /// Sessions of a subject that had not ended, in the order of their keys.
    package func sessions(
        of subject: String, after key: JournalKey?, limit: Int
    ) async throws(JournalError) -> [SessionListing] {
        try await read { reader throws(JournalError) in
            try reader.sessions(of: subject, after: key, limit: limit)
        }
    }

    /// The sessions that a question was for, those of a page.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read { reader throws(JournalError) in try reader.sessions(matching: query) }
    }

    /// The number of sessions that a question was for, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read { reader throws(JournalError) in try reader.count(matching: query, limit: limit) }
    }

    /// Sessions that may not have been used since a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { reader throws(JournalError) in try reader.idle(since: time, limit: limit) }
    }

    /// Sessions that have something to do without being asked.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int
    ) async throws(JournalError) -> [DueSession] {
        try await read { reader throws(JournalError) in try reader.due(by: time, after: place, limit: limit) }
    }

    /// About the bytes that ended sessions have left.
    package func residue() async throws(JournalError) -> Int {
        try await read { reader throws(JournalError) in try reader.number(ReadingStatements.residue) }
    }

    /// The guilty inputs, the oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read { reader throws(JournalError) in try reader.guiltyInputs().map(\.input) }
    }

    // MARK: Refusals

    private static let refusal = JournalError.unsupported(
        "the journal is only looked at; a server has to be asked for that")

    /// Refuses a change.
    package func submit(_ change: JournalChange) -> PendingCommit { PendingCommit(.failure(Self.refusal)) }

    /// Refuses.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int { throw Self.refusal }

    /// Refuses.
    package func add(_ input: GuiltyInput) async throws(JournalError) { throw Self.refusal }

    /// Refuses.
    package func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) { throw Self.refusal }

    /// Refuses.
    package func backUp() async throws(JournalError) -> Backup { throw Self.refusal }

    // MARK: The end

    /// Ends the transaction, with the connection.
    package func close() async { await worker.close() }
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
