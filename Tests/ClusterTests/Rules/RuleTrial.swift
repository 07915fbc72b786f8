import PostgresCluster
import ServerCluster
import Testing

/// A fault that one rule protects against, at the moment when a server without the rule would give a wrong response.
struct RuleTrial: CustomTestStringConvertible, Sendable {
    /// The rule as a sentence.
    let rule: String
    var servers = 2
    /// The options of the servers.
    var options: [String] = []
    /// The settings of a separate database server; nil if the tests' shared one is sufficient.
    var database: [String]?
    /// Whether the database has a standby.
    var hasStandby = false
    /// The number of times that a server ends while effects run.
    var deaths = 0
    /// Causes the fault, and returns the responses to clients.
    let strike: @Sendable (ServerCluster) async throws -> [Observation]

    var testDescription: String { rule }

    /// Runs the trial.
    ///
    /// - Returns: The anomalies that the checker finds.
    func run() async throws -> Set<Anomaly> {
        let backend = try DeliveryBackend(pausing: .seconds(3))
        var setup = ServerSetup(backend: backend.port)
        setup.options += options
        let own = try (database ?? (hasStandby ? [] : nil)).map { try PostgresCluster(setting: $0) }
        let standby = hasStandby ? try PostgresCluster() : nil
        if let own { try standby?.follow(own) }
        let cluster = try ServerCluster(
            setup, on: ClusterDatabase(in: own, standby: standby), count: servers)
        let observations = try await strike(cluster)
        return try FinalCheck(observations, on: cluster, backend: backend, faults: 1, deaths: deaths).anomalies()
    }
}

extension RuleTrial {
    static let all = [marks, confirmation, resending, ownMarks, fence, claims, ownership]

    /// The database loses an event that one server knows, and another server writes a second event at its revision.
    private static let marks = RuleTrial(
        rule: "a version has a random mark", options: ["--durability", "relaxed"],
        database: ["wal_writer_delay=10s"]
    ) { cluster in
        let (first, second) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        var observations: [Observation] = []
        var isLost = false
        // The database may have written its log in the meantime.
        for number in 1...5 where !isLost {
            let session = try first.open()
            _ = second.look(at: session)
            // A durable commit also writes all earlier commits to the disk.
            try cluster.database.run("CREATE TABLE usher.flush\(number)()")
            let lost = first.add(number, to: session)
            try #require(lost.answer != .none)
            try cluster.database.cluster.crash()
            for server in cluster.servers { try #require(server.becomes(ready: true)) }
            isLost = try cluster.number("SELECT max(revision) FROM usher.sessions WHERE \(session.condition)") == 1
            observations = [second.add(10 + number, to: session), first.look(at: session)]
        }
        try #require(isLost)
        return observations
    }

    /// A server is cut off while another writes.
    private static let confirmation = RuleTrial(rule: "an answer that changes nothing is confirmed") { cluster in
        let (first, second) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        let session = try first.open()
        let before = second.look(at: session)
        cluster.servers[1].proxy.freeze()
        let event = first.add(1, to: session)
        let progress = LoadProgress()
        async let late = progress.noting { second.look(at: session) }
        // Without the rule, the server would respond during this wait.
        progress.wait(for: 1, atMost: 3)
        cluster.servers[1].proxy.thaw()
        return [before, event, await late]
    }

    /// The connection is lost while a commit waits for a lock of another program.
    private static let resending = RuleTrial(rule: "a commit without an answer is sent again") { cluster in
        let first = PinnedClient(cluster.servers[0])
        let session = try first.open()
        async let lock = cluster.database.run(
            "BEGIN; SELECT FROM usher.sessions WHERE \(session.condition) FOR UPDATE; SELECT pg_sleep(4); COMMIT")
        try cluster.wait(for: "wait_event = 'PgSleep' AND query LIKE '%\(session.id)%'")
        async let event = first.add(1, to: session)
        try cluster.wait(for: "wait_event_type = 'Lock' AND \(ServerCluster.isAppend)")
        cluster.servers[0].proxy.cutAll()
        _ = try await lock
        return [await event]
    }

    /// The response to a commit is lost.
    private static let ownMarks = RuleTrial(
        rule: "a write that loses after it was sent again is looked for by its mark"
    ) { cluster in
        let first = PinnedClient(cluster.servers[0])
        let session = try first.open()
        cluster.servers[0].proxy.cut(.afterAnswer, at: .append)
        return [first.add(1, to: session)]
    }

    /// The standby is lost, an administrator ends the commit that waits for it, and then the primary is lost for good.
    private static let fence = RuleTrial(
        rule: "a new connection begins with a write, which waits for the standby", hasStandby: true
    ) { cluster in
        let (primary, standby) = (cluster.database.cluster, try #require(cluster.database.standby))
        try primary.waitForStandby(true)
        let first = PinnedClient(cluster.servers[0])
        let session = try first.open()
        try standby.stop()
        let progress = LoadProgress()
        async let event = progress.noting { first.add(1, to: session) }
        try cluster.wait(for: "wait_event = 'SyncRep' AND \(ServerCluster.isAppend)")
        let ended = try cluster.database.signal("pg_terminate_backend", where: ServerCluster.isAppend)
        try #require(ended == 1)
        // The server sends the commit again. Without the rule, it would trust what it reads, and acknowledge the event.
        progress.wait(for: 1, atMost: 3)
        try primary.stop()
        try standby.start()
        try standby.promote()
        var observations = [await event]
        // On a busy machine, the first request may have got no response, which would prove nothing about
        // acknowledgements.
        while observations.last?.answer == Observation.Answer.none {
            try Task.checkCancellation()
            observations.append(first.add(observations.count + 1, to: session))
        }
        return observations
    }

    /// Two servers claim the same work at the same time, and the one that looked first is slower.
    private static let claims = RuleTrial(
        rule: "a claim looks at the row that it takes", servers: 3, deaths: 1
    ) { cluster in
        let first = PinnedClient(cluster.servers[0])
        let session = try first.open()
        let observations = first.deliver(1, to: session)
        // When the first server is gone, the next claim is delayed, and then uses what it has read before.
        try cluster.database.run(
            """
            CREATE FUNCTION usher.slowly() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN
                IF current_setting('test.slept', true) = 'yes' OR EXISTS (SELECT FROM usher.nodes WHERE name = 'server1')
                THEN RETURN true; END IF;
                PERFORM pg_sleep(3), set_config('test.slept', 'yes', true);
                RETURN true;
            END $$;
            CREATE POLICY rights ON usher.work USING (true) WITH CHECK (true);
            CREATE POLICY pace ON usher.work AS RESTRICTIVE FOR SELECT USING (usher.slowly());
            ALTER TABLE usher.work ENABLE ROW LEVEL SECURITY
            """)
        cluster.servers[0].stop()
        LoadProgress().rest(.seconds(10))
        try cluster.database.run("ALTER TABLE usher.work DISABLE ROW LEVEL SECURITY")
        try cluster.servers[0].start()
        return observations
    }

    /// Several servers have a session in memory that starts an effect.
    private static let ownership = RuleTrial(
        rule: "only work that is owned starts", servers: 3
    ) { cluster in
        let clients = cluster.servers.map { PinnedClient($0) }
        let session = try clients[0].open()
        for client in clients { _ = client.look(at: session) }
        return clients[0].deliver(1, to: session) + clients.map { $0.look(at: session) }
    }
}

extension LoadSession {
    /// The SQL condition for the session's rows.
    fileprivate var condition: String { "session = '\(id)'" }
}

extension ServerCluster {
    /// The SQL condition for a database process that runs a group's statement.
    fileprivate static var isAppend: String { "query LIKE '%INSERT INTO usher.entries%'" }

    /// Waits until a database process is in a state.
    ///
    /// - Parameter condition: A condition on the columns of `pg_stat_activity`.
    func wait(for condition: String) throws {
        let query = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND \(condition)"
        while try number(query) == 0 { try Task.checkCancellation() }
    }
}
