import UsherJournal
import UsherProcess

/// The checks of a database before a server uses the database.
///
/// The server reports a problem in one sentence and does not start.
struct StartCheck {
    private let location: PostgresLocation
    private let durability: Durability
    private let keys: SealingKeys?

    /// Creates the checks; `durability` is `relaxed` for connections that only read.
    init(_ location: PostgresLocation, _ durability: Durability, _ keys: SealingKeys?) {
        self.location = location
        self.durability = durability
        self.keys = keys
    }

    struct Findings {
        /// The database, with a fit host as the first host.
        let location: PostgresLocation
        let count: Int
        let lease: Lease
        /// A description, for the log, of the crashes that an acknowledged change survives.
        let promise: String
    }

    /// Checks the database, registers a server, and stores the name of the database's run in `epoch`.
    func run(registering node: ServerNode, _ epoch: DatabaseEpoch?) throws(PostgresJournalError) -> Findings {
        let findings = try told { () throws(PostgresFailure) -> Findings? in
            let (connection, location) = try connect(node, epoch)
            try checkKeys(connection)
            return try isFree(node, connection) ? register(node, connection, at: location) : nil
        }
        guard let findings else { throw .nameTaken("\(location)", node: node.name) }
        return findings
    }

    // MARK: Steps

    /// Connects to a fit host; for example, a former primary is unfit, because its commits are not replicated.
    private func connect(
        _ node: ServerNode, _ epoch: DatabaseEpoch?
    ) throws(PostgresFailure) -> (PostgresConnection, PostgresLocation) {
        var location = location
        var attempts = location.hosts.list.count
        while true {
            let connection = try PostgresConnection(to: location)
            try ServerFitness.check(connection, for: durability, by: deadline)
            try refuseSharing(of: connection, at: location)
            do throws(PostgresFailure) {
                try node.prepare(connection, under: node.number, epoch, by: deadline)
                location.hosts.prefer(connection.host)
                return (connection, location)
            } catch {
                attempts -= 1
                guard attempts > 0 else { throw error }
                location.hosts.postpone(connection.host)
            }
        }
    }

    /// Refuses a pooler that lets several connections share one process of the database.
    ///
    /// The process identifiers show whether there is a pooler, because a pooler reports invented identifiers.
    /// Alternating queries on two connections then show whether the pooler shares processes.
    private func refuseSharing(
        of connection: PostgresConnection, at location: PostgresLocation
    ) throws(PostgresFailure) {
        let process = try connection.text("pg_backend_pid()", by: deadline)
        guard process != "\(connection.process)" else { return }
        let other = try PostgresConnection(to: location)
        for _ in 0..<4 {
            let isOther = try other.text("pg_backend_pid()", by: deadline) != process
            guard isOther, try connection.text("pg_backend_pid()", by: deadline) == process else {
                throw PostgresFailure(
                    .configuration,
                    """
                    it is behind a pooler that shares connections between transactions; name the database itself, or use \
                    the pooler's session mode
                    """)
            }
        }
    }

    /// Checks that this process has every key with which rows are encrypted, so that it can read every session.
    func checkKeys(_ connection: PostgresConnection) throws(PostgresFailure) {
        let known = Set(keys?.identifiers.map(SealingKeys.text) ?? [])
        let rows = try connection.run(PeerStatements.keys, by: deadline)
        let missing = rows.indices.map { rows.text($0, 0) }.filter { !known.contains($0) }
        guard !missing.isEmpty else { return }
        throw PostgresFailure(
            .configuration,
            """
            some of its rows are sealed with the key \(missing.joined(separator: ", ")); add the key to the file that \
            --journal-key names, below the first key
            """)
    }

    /// Waits until it is known whether another server runs under this server's name.
    ///
    /// The name is free if the other server's heartbeat has stopped. The name is also free if the other server has the
    /// same lineage, because the supervisor of both servers knows that the other server has ended. The wait is measured
    /// by this machine's clock, because the time in the lease may come from the clock of a former primary.
    private func isFree(_ node: ServerNode, _ connection: PostgresConnection) throws(PostgresFailure) -> Bool {
        var lease: Int64?
        let start = MonotonicClock.now
        while lease == nil || MonotonicClock.now - start < Self.silence {
            let rows = try connection.run(ServerNode.namesake, [.text(node.name)], by: deadline)
            guard rows.count > 0, rows.integer(0, 1) > Self.silentLease else { return true }
            if let lineage = node.lineage, rows.integer(ifAny: 0, 2) == Int64(bitPattern: lineage) { return true }
            guard lease == nil || lease == rows.integer(0, 0) else { return false }
            lease = rows.integer(0, 0)
            SystemThread.pause(nanoseconds: Self.glance)
        }
        return true
    }

    /// Two and a half heartbeats in nanoseconds; a server that sends no heartbeat for this time has ended.
    private static let silence: Int64 = 2_500_000_000
    /// The number of milliseconds that remain of a lease that was not renewed during `silence`.
    private static let silentLease: Int64 = 12_500
    /// The number of nanoseconds between two checks for another server's heartbeat.
    private static let glance: Int64 = 250_000_000

    private func register(
        _ node: ServerNode, _ connection: PostgresConnection, at location: PostgresLocation
    ) throws(PostgresFailure) -> Findings {
        // Counts the sessions first, because the count may take long, and the lease starts with the registration.
        let counted = try connection.run(PeerStatements.counted, by: deadline)
        let count = counted.count > 0 ? Int(counted.integer(0, 0)) : try Self.count(connection)
        let registration = UptimeClock.milliseconds
        let rows = try connection.run(ServerNode.register, node.parameters(of: node.number), by: deadline)
        let time = DatabaseTime(
            rows.integer(0, 0), askedAt: registration, answeredAt: UptimeClock.milliseconds)
        if let key = keys?.identifiers.first {
            try connection.run(PeerStatements.noteKey, [.text(SealingKeys.text(of: key))], by: deadline)
        }
        return Findings(
            location: location, count: count, lease: Lease(node, from: registration, time),
            promise: try promise(connection))
    }

    private func promise(_ connection: PostgresConnection) throws(PostgresFailure) -> String {
        guard durability == .sync else {
            return "a crash of this server, but not a crash of the database, which may lose the last second"
        }
        return try connection.text("current_setting('synchronous_standby_names')", by: deadline).isEmpty
            ? "a crash of the database, but not the loss of its disk, because the database has no synchronous standby"
            : "the loss of the database's machine, because a synchronous standby stores the inputs too"
    }

    private static func count(_ connection: PostgresConnection) throws(PostgresFailure) -> Int {
        let deadline = MonotonicClock.now + DatabaseLink.countingPatience
        return Int(try connection.run(ReadingStatements.count, by: deadline).integer(0, 0))
    }

    private var deadline: Int64 { MonotonicClock.now + DatabaseLink.patience }

    func told<Value>(
        _ body: () throws(PostgresFailure) -> Value
    ) throws(PostgresJournalError) -> Value {
        do throws(PostgresFailure) { return try body() } catch {
            throw PostgresJournalError(
                error, at: location,
                advice: """
                    let the tables' owner run "usher-postgres migrate", which grants the roles usher_app and usher_look \
                    their rights
                    """)
        }
    }
}
