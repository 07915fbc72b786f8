import LocalhostClient
import Programs
import Testing

/// Tests P1 with kills at each system call by which the journal writes to the disk.
@Suite(
    "A server that is killed at a system call", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: Tracing.works, "strace may not trace here"))
struct TracedKillTests {
    /// The system call of the kill, in the first run on a journal or in a run after a kill.
    struct Run: CustomTestStringConvertible {
        let call: String
        let isFirst: Bool
        var app = WalkedApp.tudy
        var testDescription: String { "\(call) in \(isFirst ? "a first run" : "a run after a kill") of \(app)" }
    }

    private static let runs = [
        Run(call: "pwrite64", isFirst: true), Run(call: "fdatasync", isFirst: true), Run(call: "unlink", isFirst: true),
        Run(call: "pwrite64", isFirst: false), Run(call: "fdatasync", isFirst: false),
        Run(call: "ftruncate", isFirst: false), Run(call: "fdatasync", isFirst: true, app: .laps),
    ]

    /// The number of points for each run; in a long run, there are more than a hundred in total.
    private static let points = LongRun.choose(5, long: 50)
    private static let steps = 20

    @Test(arguments: runs)
    func `acknowledged changes survive a kill at any system call`(run: Run) async throws {
        try await BlockingThreads.run {
            for point in 1...Self.points {
                guard try await isKilled(run, at: point) else {
                    #expect(point > 1, "the server never calls \(run.call)")
                    return
                }
            }
        }
    }

    /// - Returns: Whether the run came to that call.
    private func isKilled(_ run: Run, at point: Int) async throws -> Bool {
        let server = try Crashing(run.app.program, tracing: Tracing.command(killingAt: point, of: run.call))
        let walker = try await Walker(point, through: run.app)
        if !run.isFirst {
            try #require(try server.start())
            try #require(try await isAnswered(walker, by: server))
            server.kill()
        }
        if try server.start(isTraced: true) { _ = try await isAnswered(walker, by: server) }
        let isKilled = !server.stop()
        try #require(try server.start(), "after \(run.call) \(point) the server does not start")
        try #require(try walker.open(server.port))
        try await walker.expectAcknowledged(server.port)
        try #require(try await walker.step(server.port))
        return isKilled
    }

    /// Lets a client send requests.
    ///
    /// - Returns: Whether the client got all its responses.
    private func isAnswered(_ walker: Walker, by server: Crashing) async throws -> Bool {
        guard try walker.open(server.port) else { return false }
        for _ in 0..<Self.steps {
            guard try await walker.step(server.port) else { return false }
        }
        return true
    }
}
