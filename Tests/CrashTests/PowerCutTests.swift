import LocalhostClient
import Programs
import RecordedDisk
import SeededRandom
import Testing

/// Tests P1 on a machine that loses power.
///
/// The disk calls of whole servers are logged. What was not synchronized at some moment is dropped or torn. Further
/// losses hit the servers that recover from the first one.
@Suite("A server that loses power", .serialized, .timeLimit(.minutes(10)))
struct PowerCutTests {
    private static let seeds: ClosedRange<UInt64> = 1...LongRun.choose(2, long: 20)
    private static let (cuts, clients, steps) = (LongRun.choose(5, long: 30), 4, 16)

    /// The log of a server's disk, and the responses to its clients.
    private struct Recording {
        let calls: [(call: RecordedDisk.Call, end: Int)]
        /// The number of calls that created the journal.
        let first: Int
        let clients: [(walker: Walker, chronicle: Chronicle)]
    }

    @Test(arguments: seeds)
    func `after a power loss, the journal has all acknowledged changes, and usher check accepts it`(seed: UInt64)
        async throws
    {
        try await BlockingThreads.run {
            let recording = try await record(seed)
            var random = SplitMix64(seed: seed)
            for _ in 0..<Self.cuts {
                let count = Int.random(in: recording.first...recording.calls.count, using: &random)
                let calls = recording.calls.map(\.call)
                let image = PowerLoss(calls, after: count).image(&random)
                let position = count == 0 ? 0 : recording.calls[count - 1].end
                let place = "seed \(seed), after \(count) of \(calls.count) calls"
                let recovery = try await recover(image, recording.clients, at: position, place)
                // The power fails again, during the server's recovery or soon after.
                let second = Int.random(in: 0...recovery.count, using: &random)
                let again = PowerLoss(recovery, after: second, from: image).image(&random)
                _ = try await recover(
                    again, recording.clients, at: position, "\(place), and \(second) of \(recovery.count)")
            }
        }
    }

    /// Lets clients use a server, and kills the server.
    private func record(_ seed: UInt64) async throws -> Recording {
        let log = try LogFile()
        let server = try Crashing("MachineProgram", environment: log.environment)
        try #require(try server.start())
        let (port, start) = (server.port, log.size)
        var walkers: [Walker] = []
        for name in 0..<Self.clients { walkers.append(try await Walker(Int(seed) * 100 + name)) }
        let tellers = walkers.map { Walking($0) }
        let chronicles = try await withThrowingTaskGroup(of: (Int, Chronicle).self) { group in
            for (index, teller) in tellers.enumerated() {
                group.addTask {
                    (index, try await teller.tell(port, steps: Self.steps) { log.size })
                }
            }
            return try await group.reduce(into: [Int: Chronicle]()) { $0[$1.0] = $1.1 }
        }
        server.kill()
        let calls = log.calls
        let clients = walkers.indices.compactMap { index in chronicles[index].map { (walkers[index], $0) } }
        return Recording(calls: calls, first: calls.count { $0.end <= start }, clients: clients)
    }

    /// Starts a server after a loss of power, and checks that acknowledged inputs are still there.
    ///
    /// - Returns: The server's disk calls.
    private func recover(
        _ image: [String: [UInt8]], _ clients: [(walker: Walker, chronicle: Chronicle)], at position: Int,
        _ place: String
    ) async throws -> [RecordedDisk.Call] {
        let log = try LogFile()
        let server = try Crashing("MachineProgram", environment: log.environment, holding: image)
        let check = try server.check()
        #expect(check.status == 0, "\(place): \(check.output)\(check.error)")
        try #require(try server.start(), "\(place): the server does not start")
        for (walker, chronicle) in clients {
            let shown = try walker.shown(server.port)
            #expect(chronicle.allows(shown, at: position), "\(place): \(shown ?? "no session")")
        }
        server.kill()
        return log.calls.map(\.call)
    }
}

/// A file for the calls to a disk.
private final class LogFile: Sendable {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    }

    /// The environment of a server that writes to this file.
    var environment: [String: String] { ["USHER_TEST_DISK": folder("log")] }

    var size: Int { DiskLog.size(of: folder("log")) }

    var calls: [(call: RecordedDisk.Call, end: Int)] { DiskLog.calls(in: folder.bytes(of: "log")) }
}
