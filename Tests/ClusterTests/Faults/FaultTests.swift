import Foundation
import LocalhostClient
import PostgresCluster
import Programs
import ServerCluster
import Testing

/// Tests that the responses to clients agree with the records, whatever fault three servers and a database suffer.
@Suite("Three servers and their database under faults", .blocking, .timeLimit(.minutes(LongRun.isOn ? 60 : 5)))
struct FaultTests {
    /// The number of events per fault in a long run, which acknowledges 200,000 in total.
    private static let share = 200_000 / Fault.all.count

    private let backend: DeliveryBackend

    init() throws { backend = try DeliveryBackend(pausing: .milliseconds(50)) }

    private var setup: ServerSetup { ServerSetup(backend: backend.port) }

    @Test(arguments: Fault.all)
    func `under every fault, the responses to clients agree with the sessions' records`(fault: Fault) async throws {
        let own = fault.needsOwnCluster ? try PostgresCluster() : nil
        let standby = fault.needsStandby ? try PostgresCluster() : nil
        if let own, let standby {
            try standby.follow(own)
            try own.waitForStandby(true)
        }
        let cluster = try ServerCluster(setup, on: ClusterDatabase(in: own, standby: standby))
        var (round, acknowledged) = (0, 0)
        repeat {
            round += 1
            acknowledged += try await check(fault, on: cluster, round: round)
        } while LongRun.isOn && acknowledged < Self.share
    }

    @Test func `a damaged row makes only its own session unavailable`() async throws {
        let cluster = try ServerCluster(setup)
        var client = LoadClient(99, on: cluster)
        let opened = client.open()
        let victim = try #require(opened)
        for _ in 0..<3 { client.send(.add, on: victim) }
        try await check(.damage(to: victim.id), on: cluster)
        for server in cluster.servers {
            let answer = try server.client().request("GET", victim.path)
            #expect(answer.status == 503, "\(server.name): \(answer.status) \(answer.text)")
        }
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "no disk may be mounted here"))
    func `while the disk is full, changes are refused and no acknowledged change is lost`() async throws {
        let disk = try SmallDisk("size=32m")
        let folder = disk.folder("database")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let own = try PostgresCluster()
        try own.makeTablespace("small", in: folder)
        let cluster = try ServerCluster(setup, on: ClusterDatabase(in: own, tablespace: "small"))
        try await check(.shortage(on: disk), on: cluster)
    }

    /// Causes a fault under load, and compares the responses to clients with the records.
    ///
    /// - Returns: The number of acknowledged events.
    @discardableResult
    private func check(_ fault: Fault, on cluster: ServerCluster, round: Int = 1) async throws -> Int {
        var faults = 0
        let load = ClusterLoad(cluster: cluster, round: round)
        let outcome = try await load.run { progress in
            // Each round acknowledges enough events, however few succeed during the fault.
            if LongRun.isOn { progress.wait(for: 2_000, atMost: 30) }
            faults = try fault.strike(cluster, progress)
        }
        let checker = try FinalCheck(
            outcome.observations, on: cluster, backend: backend, faults: faults, deaths: fault.endsLeases ? faults : 0)
        print(
            "cluster: \(fault.testDescription): \(faults) faults, \(outcome.observations.count) answers, "
                + "\(checker.acknowledged) acknowledged, \(outcome.failures) attempts without one")
        let anomalies = checker.anomalies()
        #expect(anomalies.isEmpty)
        #expect(outcome.surprises.isEmpty)
        if !anomalies.isEmpty || !outcome.surprises.isEmpty {
            print(cluster.log.suffix(20_000))
            for anomaly in anomalies { print(checker.evidence(of: anomaly)) }
        }
        return checker.acknowledged
    }
}
