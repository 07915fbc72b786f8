import LocalhostClient
import Testing

/// P1 again, with the kill at each call by which the journal gets to the disk.
@Suite("Killed at a call", .serialized, .timeLimit(.minutes(5)), .enabled(if: Tracing.works, "strace may not trace here"))
struct TracedKillTests {
    /// How often each call is tried: more than a hundred points of a run.
    private static let points = 40
    private static let steps = 12

    @Test(arguments: ["pwrite64", "fdatasync", "ftruncate", "unlink"])
    func `whatever the last call was, what was acknowledged is there`(call: String) async throws {
        try await BlockingThreads.run {
            for point in 1...Self.points {
                guard try await killed(at: point, of: call) else {
                    #expect(point > 1, "the server never calls \(call)")
                    return
                }
            }
        }
    }

    /// - Returns: Whether the run came to that call.
    private func killed(at point: Int, of call: String) async throws -> Bool {
        let server = try Crashing(tracing: Tracing.command(killingAt: point, of: call))
        let walker = try await Walker(point)
        var isGone = try !server.start(isTraced: true)
        if !isGone { isGone = try !walker.open(server.port) }
        for _ in 0..<Self.steps where !isGone { isGone = try await !walker.step(server.port) }
        server.kill()
        try #require(try server.start(), "after \(call) \(point) the server does not start")
        try #require(try walker.open(server.port))
        try await walker.expectAcknowledged(server.port)
        try #require(try await walker.step(server.port))
        return isGone
    }
}
