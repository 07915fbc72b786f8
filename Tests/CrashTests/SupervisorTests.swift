import Glibc
import LocalhostClient
import Programs
import Testing

/// Tests P1, P2 and P5 with a supervisor.
///
/// A crash causes only a pause, a deploy causes none, and nothing acknowledged is lost.
@Suite("A server with a supervisor", .serialized, .timeLimit(.minutes(5)))
struct SupervisorTests {
    private static let clients = 8
    private static let times = 10
    /// The number of responses between two kills.
    private static let pace = 24

    @Test(arguments: [SIGKILL, SIGSEGV])
    func `while a worker that was killed is replaced under load, no connection is refused and nothing is lost`(
        signal: Int32
    )
        async throws
    {
        try await BlockingThreads.run {
            try await underLoad { server in
                let before = try await Self.worker(of: server)
                kill(before, signal)
                // The id of a running process belongs to no other process.
                while try await Self.worker(of: server) == before { await Task.yield() }
            }
        }
    }

    @Test func `while a server is replaced under load, no connection is refused and nothing is lost`() async throws {
        try await BlockingThreads.run {
            try await underLoad { server in
                let isReplaced = try server.replace()
                #expect(isReplaced)
            }
        }
    }

    @Test func `if a server's replacement fails, the server continues, refuses no connection and loses nothing`()
        async throws
    {
        try await BlockingThreads.run {
            try await underLoad { server in
                let isReplaced = try server.replace(["--public", "/nonexistent"])
                #expect(!isReplaced)
                _ = try await Self.worker(of: server)
            }
        }
    }

    @Test func `after kill -9 of the supervisor under load, its worker drains, and then a new server takes over`()
        async throws
    {
        try await BlockingThreads.run {
            try await underLoad(isRefusing: true) { server in
                server.killSupervisor()
                let isStarted = try server.startAgain()
                #expect(isStarted)
            }
        }
    }

    /// Lets all clients send requests while an action is repeated, and checks their responses.
    private func underLoad(isRefusing: Bool = false, _ happening: (Crashing) async throws -> Void) async throws {
        // The runtime's crash handler would ignore a signal that another process has sent.
        let server = try Crashing(isSupervised: true, environment: ["SWIFT_BACKTRACE": "enable=no"])
        try #require(try server.start())
        let port = server.port
        var walkers: [Walker] = []
        for name in 0..<Self.clients { walkers.append(try await Walker(name)) }
        let counts = (1...Self.times).map { Answers(until: $0 * Self.pace, for: Self.clients) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for walker in walkers {
                let persisting = Walking(walker)
                let steps = (Self.times + 2) * Self.pace / Self.clients
                group.addTask { try await persisting.persist(port, steps: steps, counts) }
            }
            for count in counts {
                await count.wait()
                try await happening(server)
            }
            try await group.waitForAll()
        }
        for walker in walkers { try await walker.expectAcknowledged(server.port) }
        if !isRefusing { #expect(walkers.map(\.refusals) == Array(repeating: 0, count: Self.clients)) }
        #expect(server.stop())
    }

    private static func worker(of server: Crashing) async throws -> Int32 {
        while true {
            if let worker = server.worker { return worker }
            await Task.yield()
        }
    }
}
