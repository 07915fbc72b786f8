import Foundation
import Glibc
import LocalhostClient
import Programs
import Testing

/// Tests that a jump of the time of day ends nothing for good, because the clock may be corrected.
@Suite("A machine whose clock jumps", .blocking, .timeLimit(.minutes(5)))
struct ClockJumpTests {
    private static let (day, hour) = (24 * 3_600, 3_600)

    @Test func `a clock that jumps two days forward and back ends no session, and each jump is logged and counted`()
        throws
    {
        let machine = try Machine()
        let paths = try (0..<10).map { _ in try machine.open() }
        #expect(try machine.metric("usher_clock_distrusted") == 0)
        try machine.set(time: 2 * Self.day)
        // A sweep, which would have ended the sessions, has noticed the jump.
        try machine.wait(for: "usher_clock_jumps_total", 1)
        #expect(try machine.metric("usher_clock_distrusted") == 1)
        try machine.set(time: 0)
        try machine.wait(for: "usher_clock_jumps_total", 2)
        for path in paths { #expect(try machine.status(of: path) == 200) }
        #expect(try machine.expired == 0)
        let end = machine.stop()
        #expect(end.status == 0)
        let jumps = end.error.split(separator: "\n").filter { $0.contains("time of day has jumped") }.compactMap {
            $0.split(separator: "\"").last.flatMap { Int($0) }
        }
        // Allow for the time between the readings of two clocks.
        #expect(jumps.count == 2 && zip(jumps, [2 * Self.day, -2 * Self.day]).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test func `a clock that has jumped is trusted again after an hour`() throws {
        let machine = try Machine()
        let paths = try (0..<10).map { _ in try machine.open() }
        try machine.set(time: 2 * Self.day)
        try machine.wait(for: "usher_clock_jumps_total", 1)
        let almost = Self.hour - 60
        try machine.set(time: 2 * Self.day + almost, uptime: almost)
        #expect(try machine.metric("usher_clock_distrusted") == 1)
        #expect(try machine.expired == 0)
        try machine.set(time: 2 * Self.day + Self.hour, uptime: Self.hour)
        try machine.wait(for: #"usher_sessions_ended_total{app="tudy",reason="expired"}"#, paths.count)
        #expect(try machine.metric("usher_clock_distrusted") == 0)
        #expect(try machine.metric("usher_clock_jumps_total") == 1)
        for path in paths { #expect(try machine.status(of: path) == 410) }
        #expect(machine.stop().status == 0)
    }
}

/// A server whose clocks are set by the test.
private final class Machine {
    private let folder: TemporaryFolder
    private let program: Program
    private let client: LocalhostClient

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0, count: 16), to: "clock")
        var environment = Program.environment
        environment["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        environment["USHER_TEST_CLOCK"] = folder("clock")
        program = try Program(
            [
                "\(Program.products)/MachineProgram", "serve", "--no-supervisor", "--port", "0", "--journal",
                "sqlite:\(folder("journal.sqlite"))", "--expire-after", "1d", "--idle-after", "1s",
            ], environment: environment)
        client = LocalhostClient(port: try #require(program.readPort()))
    }

    /// Sets both clocks, in seconds relative to the system's.
    func set(time: Int, uptime: Int = 0) throws {
        let file = try FileHandle(forUpdating: URL(filePath: folder("clock")))
        defer { try? file.close() }
        let bytes = [time, uptime].flatMap { seconds in
            (0..<8).map { UInt8(truncatingIfNeeded: (seconds * 1_000) >> ($0 * 8)) }
        }
        // Write both at once, so that there is no moment at which only one is set.
        try file.write(contentsOf: Data(bytes))
    }

    func open() throws -> String {
        try #require(try client.request("POST", "/sessions", body: #"{"app":"tudy"}"#)["Location"])
    }

    func status(of path: String) throws -> Int { try client.request("GET", path).status }

    /// Returns the value of a metric; 0 if it is missing.
    func metric(_ name: String) throws -> Int {
        let text = String(decoding: try client.request("GET", "/metrics").body, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
    }

    /// Waits until a metric has a value.
    func wait(for name: String, _ value: Int) throws {
        while try metric(name) < value {}
    }

    /// The number of expired sessions.
    var expired: Int {
        get throws { try metric(#"usher_sessions_ended_total{app="tudy",reason="expired"}"#) }
    }

    func stop() -> ProgramEnd {
        program.send(SIGTERM)
        return program.finish()
    }
}
