import UsherJournal
import UsherProcess

/// The look at a database before a server uses it: whatever is wrong there is said at the start, in one sentence.
struct StartCheck {
    private var location: PostgresLocation
    private let durability: Durability
    private let keys: KeyRegister

    /// - Parameters:
    ///   - location: The database.
    ///   - durability: The crashes that a change outlives; no matter where nothing is written.
    ///   - sealing: The keys of this process.
    init(_ location: PostgresLocation, _ durability: Durability = .sync, _ sealing: SealingKeys? = nil) {
        self.location = location
        self.durability = durability
        keys = KeyRegister(sealing, of: "\(location)")
    }

    /// The findings of the look.
    struct Findings {
        /// The database, with the host first that is fit.
        let location: PostgresLocation
        /// The number of sessions that have not ended.
        let count: Int
        /// The time at which the server was about to be registered, by the `MonotonicClock`.
        let registration: Int64
        /// The database's time of day.
        let time: DatabaseTime
        /// The meaning of an acknowledgment, in words for the log.
        let promise: String
    }

    /// Checks the database, and registers a server there.
    ///
    /// - Parameters:
    ///   - node: The server.
    ///   - epoch: The name of the database's run, to be read, where it is wanted.
    /// - Throws: `PostgresJournalError`.
    func run(registering node: ServerNode, _ epoch: DatabaseEpoch?) throws(PostgresJournalError) -> Findings {
        var check = self
        var attempts = location.hosts.list.count
        while true {
            let connection = try check.connect()
            try check.checkServer(connection)
            try check.checkFormat(connection)
            try check.checkRights(Schema.changing, connection)
            try check.checkKeys(connection)
            do throws(PostgresFailure) {
                try node.prepare(connection, under: node.number, epoch, by: deadline)
            } catch {
                // An old primary, perhaps, that has come back, and that nobody follows any more.
                attempts -= 1
                guard attempts > 0 else { throw refusal(error) }
                check.location.hosts.postpone(connection.host)
                continue
            }
            check.location.hosts.prefer(connection.host)
            return try check.register(node, connection)
        }
    }

    /// Registers a server on a connection that is fit for use.
    private func register(
        _ node: ServerNode, _ connection: PostgresConnection
    ) throws(PostgresJournalError) -> Findings {
        try checkName(of: node, connection)
        // It may take its time, and the lease counts from the registration.
        let count = try lastCount(connection)
        let registration = UptimeClock.milliseconds
        try commit(ServerNode.register, node.parameters(of: node.number), on: connection)
        try noteKey(connection)
        var build = Parameters()
        build.bytes(node.build.utf8)
        try commit(PeerStatements.noteBuild, build, on: connection)
        return Findings(
            location: location, count: count, registration: registration, time: try time(connection),
            promise: try promise(connection))
    }

    private func time(_ connection: PostgresConnection) throws(PostgresJournalError) -> DatabaseTime {
        let start = UptimeClock.milliseconds
        let time = try setting(ServerNode.time, connection)
        return DatabaseTime(Int64(time) ?? 0, askedAt: start, answeredAt: UptimeClock.milliseconds)
    }

    private func promise(_ connection: PostgresConnection) throws(PostgresJournalError) -> String {
        guard durability == .sync else {
            return "a crash of this server; one of the database may take the last second back"
        }
        return try setting("current_setting('synchronous_standby_names')", connection).isEmpty
            ? "a crash of the database, but not the loss of its disk: it has no synchronous standby"
            : "the loss of the database's machine, for its synchronous standby has them too"
    }

    /// Checks a database that is only read, on the connection on which that is done.
    ///
    /// - Returns: The number of sessions that have not ended.
    /// - Throws: `PostgresJournalError`.
    func look(on connection: PostgresConnection) throws(PostgresJournalError) -> Int {
        try checkVersion(connection)
        try checkFormat(connection)
        try checkRights(Schema.reading, connection)
        try checkKeys(connection)
        return try count(connection)
    }

    /// The number of sessions as a server has counted it last, at most about a minute ago; without one they are counted.
    private func lastCount(_ connection: PostgresConnection) throws(PostgresJournalError) -> Int {
        let rows = try run(PeerStatements.counted, Parameters(), on: connection)
        return rows.count > 0 ? Int(rows.integer(0, 0)) : try count(connection)
    }

    private func count(_ connection: PostgresConnection) throws(PostgresJournalError) -> Int {
        do throws(PostgresFailure) { return try SessionCount.count(on: connection) } catch { throw refusal(error) }
    }

    private func checkKeys(_ connection: PostgresConnection) throws(PostgresJournalError) {
        try keys.check { statement, parameters throws(PostgresJournalError) in
            try run(statement, parameters, on: connection)
        }
    }

    private func noteKey(_ connection: PostgresConnection) throws(PostgresJournalError) {
        try keys.note { statement, parameters throws(PostgresJournalError) in
            try commit(statement, parameters, on: connection)
        }
    }

    /// Sees to it that no other server runs under this one's name.
    ///
    /// One that does not beat any more has ended without a word, and its name is free; so is that of one of the same lineage,
    /// for the supervisor of both knows that it has ended. Beats are told by this machine's clock, for the lease may have been
    /// written by that of a primary which is gone.
    private func checkName(of node: ServerNode, _ connection: PostgresConnection) throws(PostgresJournalError) {
        var parameters = Parameters()
        parameters.bytes(node.name.utf8)
        var lease: Int64?
        let start = MonotonicClock.now
        while lease == nil || MonotonicClock.now - start < Self.silence {
            let rows = try run(ServerNode.namesake, parameters, on: connection)
            guard rows.count > 0, rows.integer(0, 1) > Self.silentLease else { return }
            if let lineage = node.lineage, !rows.isNull(0, 2), rows.integer(0, 2) == lineage { return }
            guard lease == nil || lease == rows.integer(0, 0) else {
                throw .nameTaken(name, node: node.name)
            }
            lease = rows.integer(0, 0)
            SystemThread.pause(nanoseconds: Self.glance)
        }
    }

    /// In nanoseconds, two beats and a half: who has not beaten for as long has ended.
    private static let silence: Int64 = 2_500_000_000
    /// In milliseconds, what is left of a lease that was not renewed for as long.
    private static let silentLease: Int64 = 12_500
    /// In nanoseconds, the time between two looks for another server's beat.
    private static let glance: Int64 = 250_000_000

    private var name: String { "\(location)" }
    private var deadline: Int64 { MonotonicClock.now + DatabaseLink.patience }

    private func connect() throws(PostgresJournalError) -> PostgresConnection {
        do throws(PostgresFailure) { return try PostgresConnection(to: location) } catch {
            throw .unreachable(name, reason: error.message)
        }
    }

    /// Sees to it that the database's server is new enough.
    func checkVersion(_ connection: PostgresConnection) throws(PostgresJournalError) {
        if let reason = ServerFitness.refusal(ofVersion: connection.version) { throw .unfit(name, reason: reason) }
    }

    private func checkServer(_ connection: PostgresConnection) throws(PostgresJournalError) {
        try checkVersion(connection)
        if try isShared(connection) {
            throw .unfit(
                name,
                reason: """
                    a pooler stands before it that gives a connection to others between transactions; name the database \
                    itself, or let the pooler keep sessions
                    """)
        }
        let reason: String?
        do throws(PostgresFailure) {
            reason = try ServerFitness(durability).refusal(of: connection, by: deadline)
        } catch {
            throw refusal(error)
        }
        if let reason { throw .unfit(name, reason: reason) }
    }

    /// True where a pooler has a server's process serve several connections in turn.
    ///
    /// A pooler in between is seen by the process's number, which it makes up; whether it shares processes, by asking on two
    /// connections in turn.
    private func isShared(_ connection: PostgresConnection) throws(PostgresJournalError) -> Bool {
        let process = try setting("pg_backend_pid()", connection)
        guard process != "\(connection.process)" else { return false }
        let other = try connect()
        for _ in 0..<4 {
            let isOther = try setting("pg_backend_pid()", other) != process
            guard isOther, try setting("pg_backend_pid()", connection) == process else { return true }
        }
        return false
    }

    private func checkFormat(_ connection: PostgresConnection) throws(PostgresJournalError) {
        guard try setting("to_regclass('usher.format')", connection) != "" else { throw .missing(name) }
        let version = Int(try setting("(SELECT max(version) FROM usher.format)", connection)) ?? 0
        guard version == Schema.version else { throw .format(name, found: version) }
    }

    private func checkRights(_ rights: [String], _ connection: PostgresConnection) throws(PostgresJournalError) {
        let tables = Schema.tables.map { "'\($0)'" }.joined(separator: ", ")
        let lacks = rights.map { "NOT has_table_privilege('usher.' || t, '\($0)')" }.joined(separator: " OR ")
        let lacking = try setting(
            "(SELECT string_agg(t, ', ') FROM unnest(ARRAY[\(tables)]) AS t WHERE \(lacks))", connection)
        guard lacking.isEmpty else {
            let verb = rights == Schema.reading ? "read" : "change"
            let list = rights.joined(separator: ", ")
            throw .unfit(
                name, reason: "its role may not \(verb) \(lacking); grant it \(list) on all tables in the schema usher")
        }
    }

    /// The value of an expression as text.
    private func setting(
        _ expression: String, _ connection: PostgresConnection
    ) throws(PostgresJournalError) -> String {
        do throws(PostgresFailure) {
            let rows = try connection.execute("SELECT (\(expression))::text", by: deadline)
            return rows.count > 0 ? rows.text(0, 0) : ""
        } catch {
            throw refusal(error)
        }
    }

    private func run(
        _ statement: PostgresStatement, _ parameters: Parameters, on connection: PostgresConnection
    ) throws(PostgresJournalError) -> ResultRows {
        do throws(PostgresFailure) { return try connection.run(statement, parameters, by: deadline) } catch {
            throw refusal(error)
        }
    }

    private func commit(
        _ statement: PostgresStatement, _ parameters: Parameters, on connection: PostgresConnection
    ) throws(PostgresJournalError) {
        do throws(PostgresFailure) { try connection.commit(statement, parameters, by: deadline) } catch {
            throw refusal(error)
        }
    }

    private func refusal(_ failure: PostgresFailure) -> PostgresJournalError {
        guard failure.state != "42501" else {
            return .unfit(
                name,
                reason: """
                    \(failure.message); let the tables' owner run usher-postgres migrate, which grants their rights to usher_app and \
                    usher_look
                    """)
        }
        return failure.kind == .configuration
            ? .unfit(name, reason: failure.message) : .unreachable(name, reason: failure.message)
    }
}
