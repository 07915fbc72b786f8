import Glibc
import LocalhostClient
import Programs
import Testing
import UsherProcess

@Suite("An idle server", .serialized, .blocking, .timeLimit(.minutes(5)))
struct IdleTests {
    private static let seconds = 4

    /// Returns the smallest number of wakeups in several measurements, because other programs may disturb one.
    private func wakeUps(of program: Program) -> Int {
        (0..<3).map { _ in
            let before = program.wakeUps
            SystemThread.pause(nanoseconds: Int64(Self.seconds) * 1_000_000_000)
            return program.wakeUps - before
        }.min() ?? .max
    }

    @Test func `a server without sessions wakes at most five times per second, also with an open connection`() throws {
        let folder = try TemporaryFolder()
        let journal = "sqlite:\(folder("journal.sqlite"))"
        let program = try Program(usher: ["serve", "--no-supervisor", "--port", "0", "--journal", journal])
        let port = try #require(program.readPort())
        #expect(wakeUps(of: program) <= 5 * Self.seconds)
        let client = LocalhostClient(port: port)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        #expect(try client.request("DELETE", #require(opened["Location"])).status == 204)
        #expect(wakeUps(of: program) <= 5 * Self.seconds)
        withExtendedLifetime(client) {}
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }
}
