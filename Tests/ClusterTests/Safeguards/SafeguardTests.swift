import LocalhostClient
import PostgresCluster
import ServerCluster
import Testing

/// What each safeguard is for: a run in which one fault makes an anomaly nearly surely, and the checker names it.
@Suite("Safeguards", .blocking, .timeLimit(.minutes(5)))
struct SafeguardTests {
    @Test(arguments: SafeguardTrial.all)
    func `without it the checker finds what goes wrong`(trial: SafeguardTrial) async throws {
        let found = try await trial.run(without: trial.safeguard)
        #expect(found.map(\.kind).contains(trial.anomaly), "\(found)")
    }

    @Test(arguments: SafeguardTrial.all)
    func `with it there is no anomaly in the same run`(trial: SafeguardTrial) async throws {
        let found = try await trial.run(without: "")
        #expect(found == [])
    }
}
