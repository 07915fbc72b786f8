import LocalhostClient
import Programs
import ServerCluster
import Testing

/// Tests of the permanent loss of one of three servers.
@Suite("The loss of a server", .blocking, .timeLimit(.minutes(5)))
struct ServerLossTests {
    @Test func `when a server is lost, other servers serve its sessions at once and run their effects and timers`()
        async throws
    {
        let backend = try DeliveryBackend(pausing: .seconds(2))
        let cluster = try ServerCluster(ServerSetup(backend: backend.port), routing: .affinity)
        let front = PinnedClient(port: cluster.port)
        let victim = PinnedClient(cluster.servers[0])
        let sessions = try (0..<LongRun.choose(30, long: 300)).map { _ in try front.open() }
        var observations = sessions.enumerated().map { front.add($0 + 1, to: $1) }
        // The lost server has work that is running.
        for (index, session) in sessions.prefix(6).enumerated() {
            observations += victim.deliver(1_000 + index, to: session)
            observations += victim.wait(2_000 + index, on: session)
        }
        let begun = backend.ids.count
        let start = LoadClient.now
        cluster.servers[0].kill()
        for session in sessions { observations.append(try await answer(of: front, to: session)) }
        let elsewhere = LoadClient.now - start
        #expect(elsewhere < LongRun.choose(8, long: 2) * 1_000_000_000, "\(elsewhere / 1_000_000) ms")
        for session in sessions.prefix(6) {
            while try LedgerState(client(front).request("GET", session.path).body)?.isPending == true {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        let done = LoadClient.now - start
        // The backend takes two of these seconds.
        #expect(done < LongRun.choose(40, long: 22) * 1_000_000_000, "\(done / 1_000_000) ms")
        #expect(begun > 0)
        try cluster.servers[0].start()
        let check = try FinalCheck(observations, on: cluster, backend: backend, faults: 1, deaths: 1)
        #expect(check.anomalies() == [])
    }

    private func client(_ pinned: PinnedClient) -> LocalhostClient { LocalhostClient(port: pinned.port, timeout: 5) }

    /// Returns the response to a read, which is repeated until there is one.
    private func answer(of client: PinnedClient, to session: LoadSession) async throws -> Observation {
        while true {
            let observation = client.look(at: session)
            if observation.answer != .none { return observation }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
