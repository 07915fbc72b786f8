import LocalhostClient
import PostgresCluster
import ServerCluster
import Testing

/// Tests of a failover to a standby that lacks acknowledged changes, as `relaxed` permits.
@Suite("A standby that lags", .blocking, .timeLimit(.minutes(5)))
struct LaggingStandbyTests {
    @Test func `after a failover that lost changes, servers neither return a lost state nor accept its entity tag`()
        async throws
    {
        let (primary, standby) = (try PostgresCluster(), try PostgresCluster())
        try standby.follow(primary)
        var setup = ServerSetup()
        setup.options += ["--durability", "relaxed"]
        let database = try ClusterDatabase(in: primary, standby: standby)
        let cluster = try ServerCluster(setup, on: database, count: 2)
        let (first, second) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        let session = try first.open()
        _ = second.look(at: session)
        let count = "SELECT count(*) FROM usher.sessions"
        while try standby.run(count, on: database.name) != "1\n" { LoadProgress.pause() }
        try standby.stop()
        #expect(first.add(1, to: session).answer == .state(revision: 2, numbers: [1]))
        let tag = try #require(try request(cluster.servers[0], "GET", session.path)["ETag"])

        // When the server gets the next request, it does not know of the failover yet.
        cluster.servers[0].freeze()
        try primary.stop()
        try standby.start()
        try standby.promote()
        try #require(cluster.servers[1].becomes(ready: true), "\(cluster.servers[1].log)")
        #expect(second.add(11, to: session).answer == .state(revision: 2, numbers: [11]))
        let event = #"{"event":{"add":{"number":12}}}"#
        async let late = request(
            cluster.servers[0], "POST", "\(session.path)/events", [("If-Match", tag)], event)
        LoadProgress().rest(.milliseconds(100))
        cluster.servers[0].thaw()
        let answer = try await late
        #expect(answer.status == 412, "\(answer.status) \(answer.text)")

        for server in cluster.servers {
            #expect(server.becomes(ready: true))
            #expect(PinnedClient(server).look(at: session).answer == .state(revision: 2, numbers: [11]))
            #expect(try request(server, "GET", session.path, [("If-None-Match", tag)]).status == 200)
            let answer = try request(server, "POST", "\(session.path)/events", [("If-Match", tag)], event)
            #expect(answer.status == 412, "\(answer.status) \(answer.text)")
        }
        // The old primary returns as a standby, which accepts no writes.
        try primary.follow(standby)
        #expect(first.add(13, to: session).answer == .state(revision: 3, numbers: [11, 13]))
        #expect(cluster.servers[1].stop() == 0)
        try cluster.servers[1].start()
        #expect(second.add(14, to: session).answer == .state(revision: 4, numbers: [11, 13, 14]))
    }

    @Test func `while the standby lags, restarted servers join the cluster again and begin work`() async throws {
        let (primary, standby) = (try PostgresCluster(), try PostgresCluster())
        try standby.follow(primary)
        let database = try ClusterDatabase(in: primary, standby: standby)
        let cluster = try ServerCluster(on: database, count: 2)
        let session = try PinnedClient(cluster.servers[0]).open()
        let seen = "SELECT (SELECT count(*) FROM usher.sessions) + (SELECT count(*) FROM usher.nodes)"
        while try standby.run(seen, on: database.name) != "3\n" { LoadProgress.pause() }
        let places = try standby.run("SELECT string_agg(node::text, ', ') FROM usher.nodes", on: database.name)
        try standby.stop()
        // The standby's rows of servers belong to processes that have ended.
        #expect(cluster.servers[0].stop() == 0)
        try cluster.servers[0].start()
        cluster.servers[1].kill()
        try cluster.servers[1].start()
        try primary.stop()
        try standby.start()
        try standby.promote()

        let end = LoadClient.now + 40_000_000_000
        let taken = "SELECT count(*) FROM usher.nodes WHERE node NOT IN (\(places))"
        while try standby.run(taken, on: database.name) != "2\n", LoadClient.now < end { LoadProgress.pause() }
        for (number, server) in zip(1..., cluster.servers) {
            try #require(server.becomes(ready: true), "\(server.log)")
            #expect(!server.log.contains("displaced"), "\(server.log)")
            _ = PinnedClient(server).wait(number, on: session)
            while try LedgerState(request(server, "GET", session.path).body)?.isPending == true, LoadClient.now < end {
                LoadProgress.pause()
            }
            #expect(
                PinnedClient(server).look(at: session).answer
                    == .state(revision: 1 + 2 * number, numbers: (1...number).flatMap(Self.numbers)))
        }
    }

    /// Returns the numbers that an event with a timer adds, at once and later.
    private static func numbers(_ number: Int) -> [Int] {
        let event = LedgerEvent(.wait, number)
        return [number] + (event.following.map { [$0] } ?? [])
    }

    private func request(
        _ server: ClusterServer, _ method: String, _ path: String, _ headers: [(String, String)] = [],
        _ body: String? = nil
    ) throws -> RawResponse {
        try server.client().request(method, path, headers: headers, body: body)
    }
}
