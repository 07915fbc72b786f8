import LocalhostClient
import PostgresCluster
import Programs
import ServerCluster
import Testing

/// Tests that effects start at least once, and that their results count once, whichever server runs them.
@Suite("Effects of sessions on several servers", .blocking, .timeLimit(.minutes(LongRun.isOn ? 20 : 5)))
struct EffectTests {
    private let backend: DeliveryBackend
    private let cluster: ServerCluster

    init() throws {
        backend = try DeliveryBackend(pausing: .milliseconds(300))
        cluster = try ServerCluster(ServerSetup(backend: backend.port))
    }

    @Test func `although servers are killed, each effect reaches the backend, and each result is delivered once`()
        async throws
    {
        let rounds = LongRun.choose(3, long: 60)
        var observations: [Observation] = []
        for round in 0..<rounds {
            let server = cluster.servers[round % cluster.servers.count]
            let opened = try (0..<4).map { _ in try PinnedClient(server).open() }
            for (index, session) in opened.enumerated() {
                observations += PinnedClient(server).deliver(round * 10 + index + 1, to: session)
                observations += PinnedClient(server).wait(100_000 + round * 10 + index, on: session)
            }
            server.kill()
            try server.start()
            // Each effect then loses only one server, because the next killed server runs none of the earlier effects.
            for session in opened { _ = try FinalReading(of: session.id, on: cluster).record() }
        }
        try await check(observations, deaths: 1)
    }

    @Test func `even if a server loses its leases while effects run, each effect's result is delivered only once`()
        async throws
    {
        let server = cluster.servers[0]
        let sessions = try (0..<4).map { _ in try PinnedClient(server).open() }
        var observations = sessions.enumerated().flatMap { PinnedClient(server).deliver($0 + 1, to: $1) }
        server.proxy.freeze()
        if LongRun.isOn {
            LoadProgress().rest(.seconds(18))
        } else {
            try cluster.database.run("UPDATE usher.nodes SET until = now() - interval '1 s' WHERE name = 'server1'")
            LoadProgress().rest(.seconds(3))
        }
        server.proxy.thaw()
        observations += sessions.map { PinnedClient(cluster.servers[1]).look(at: $0) }
        try await check(observations, deaths: 1)
    }

    /// Compares the responses to clients with the records and the backend, when no work is pending any more.
    private func check(_ observations: [Observation], deaths: Int) async throws {
        let check = try FinalCheck(observations, on: cluster, backend: backend, faults: deaths, deaths: deaths)
        #expect(check.anomalies() == [])
    }
}
