import Foundation
import LocalhostClient
import Programs
import Testing

/// Tests P13: on a full disk, the server rejects inputs, and recovers without a restart when there is room again.
@Suite(
    "A server on a full disk", .timeLimit(.minutes(5)),
    .enabled(if: SmallDisk.canBeMounted, "no small disk may be mounted here"))
struct FullDiskTests {
    @Test
    func
        `while the disk is full, the server refuses events and answers reads; as soon as there is room, events succeed`()
        async throws
    {
        try await BlockingThreads.run {
            // There is room for twenty steps, even if the log cannot be emptied in the meantime.
            let disk = try SmallDisk("size=1m")
            let server = try Crashing(on: disk)
            try #require(try server.start())
            let walker = try await Walker(1)
            try #require(try walker.open(server.port))
            try disk.fill()
            try await refused(walker, by: server)
            try await walker.expectAcknowledged(server.port)
            try disk.clear()
            // The server checks the log again within a second.
            let end = ContinuousClock.now + .seconds(10)
            while try await !walker.hasRoom(server.port) { try #require(ContinuousClock.now < end) }
            for _ in 0..<20 { try #require(try await walker.step(server.port)) }
            server.kill()
            try #require(try server.start())
            try await walker.expectAcknowledged(server.port)
        }
    }

    /// Sends events until one is rejected because the disk is full.
    private func refused(_ walker: Walker, by server: Crashing) async throws {
        for _ in 0..<500 {
            guard try await walker.hasRoom(server.port) else { return }
        }
        Issue.record("the disk never got full")
    }
}
