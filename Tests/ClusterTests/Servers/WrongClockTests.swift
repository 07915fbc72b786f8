import Foundation
import LocalhostClient
import Programs
import ServerCluster
import Testing

/// Tests that ages and timers use the database's clock, even if the servers' own clocks are wrong.
@Suite("Servers with wrong clocks", .blocking, .timeLimit(.minutes(5)))
struct WrongClockTests {
    private static let day = 24 * 3_600

    @Test(arguments: [(0, 2 * day), (1, -2 * day), (1, 9 * 3_600)])
    func `a server with a wrong clock ends no session in use, and unused sessions expire on time`(
        place: Int, seconds: Int
    ) throws {
        let cluster = try Self.cluster()
        let clock = try MovedClock(of: cluster.servers[place])
        try clock.set(seconds: seconds)
        try clock.restart()
        try Self.expectExpiry(of: cluster)
        try Self.expectReport(by: cluster.servers[place], of: seconds, and: cluster.servers[1 - place])
    }

    @Test func `a server whose clock jumps is not ready until its clock is right, and ends no session in use`()
        throws
    {
        let cluster = try Self.cluster()
        let server = cluster.servers[0]
        let clock = try MovedClock(of: server)
        try clock.restart()
        #expect(try server.readiness() == "ready\n")
        try clock.set(seconds: 2 * Self.day)
        try Self.wait { try server.readiness() != "ready\n" }
        try Self.expectExpiry(of: cluster)
        try Self.expectReport(by: server, of: 2 * Self.day, and: cluster.servers[1])
        try clock.set(seconds: 0)
        try Self.wait { try server.readiness() == "ready\n" }
    }

    private static func cluster() throws -> ServerCluster {
        var setup = ServerSetup()
        setup.options += ["--idle-after", "1s", "--expire-after", "6s"]
        return try ServerCluster(setup, count: 2)
    }

    /// Uses sessions of both servers until other sessions, which nobody uses, have expired.
    private static func expectExpiry(of cluster: ServerCluster) throws {
        let (used, idle) = (try cluster.servers.map(open), try cluster.servers.map(open))
        // The first server does the sweeps as long as it renews this chore.
        try cluster.database.run(
            """
            INSERT INTO usher.chores SELECT 'sweep', node, now() + interval '2 s', -1 FROM usher.nodes
                WHERE name = 'server1'
            ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
            """)
        let ids = idle.map { "'\($0.id)'" }.joined(separator: ", ")
        let ended = "SELECT count(*) FROM usher.sessions WHERE ended IS NOT NULL AND session IN (\(ids))"
        var number = 0
        try wait {
            number += 1
            for (server, session) in zip(cluster.servers, used) {
                let body = #"{"event":{"add":{"number":\#(number)}}}"#
                let answer = try server.client().request("POST", "\(session.path)/events", body: body)
                try #require(answer.status == 200, "after \(number) uses: \(answer.text)")
            }
            return try cluster.number(ended) == idle.count
        }
        let ages = "abs(touched - extract(epoch FROM now()) * 1000) > 60000 OR abs(created - touched) > 60000"
        #expect(try cluster.number("SELECT count(*) FROM usher.sessions WHERE \(ages)") == 0)
    }

    private static func open(on server: ClusterServer) throws -> LoadSession { try PinnedClient(server).open() }

    private static func wait(until condition: () throws -> Bool) throws {
        let end = LoadClient.now + 60_000_000_000
        while try !condition() {
            try #require(LoadClient.now < end)
            LoadProgress.pause()
        }
    }

    /// Checks that the server reports its clock's error, and that the other server reports none.
    private static func expectReport(
        by server: ClusterServer, of seconds: Int, and other: ClusterServer
    ) throws {
        let readiness = try server.readiness()
        #expect(readiness.contains("\(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead of")"), "\(readiness)")
        #expect(server.log.contains("clock is wrong seconds=\"\(seconds)\""), "\(server.log)")
        #expect(abs(try server.clockOffset() - Double(seconds)) < 2)
        #expect(try other.readiness() == "ready\n")
        #expect(abs(try other.clockOffset()) < 2)
        #expect(!other.log.contains("clock is wrong"))
    }
}

/// The clock of a server, which a test sets.
private final class MovedClock {
    private let server: ClusterServer
    private let folder: TemporaryFolder

    init(of server: ClusterServer) throws {
        self.server = server
        folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0, count: 16), to: "clock")
    }

    /// Sets the time of day, in seconds relative to the system's.
    func set(seconds: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: folder("clock")))
        defer { try? file.close() }
        try file.write(contentsOf: Data((0..<8).map { UInt8(truncatingIfNeeded: (seconds * 1_000) >> ($0 * 8)) }))
    }

    /// Restarts the server with this clock.
    func restart() throws {
        var setup = server.setup
        setup.environment["USHER_TEST_CLOCK"] = folder("clock")
        server.stop()
        try server.start(setup)
    }
}

extension ClusterServer {
    /// Returns the body of `/readyz`, which must report readiness.
    fileprivate func readiness() throws -> String {
        let answer = try client().request("GET", "/readyz")
        try #require(answer.status == 200)
        return answer.text
    }

    /// Returns the seconds by which the server reports that its clock is ahead.
    fileprivate func clockOffset() throws -> Double {
        let text = try client().request("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix("usher_clock_offset_seconds ") }
        return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
    }
}
