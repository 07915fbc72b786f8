import Glibc
import LocalhostClient
import Programs
import Synchronization
import Testing

/// P6 and the budgets: an attacker of one address, who does all he can, takes no memory that is not his, and no place.
@Suite("Attacked", .serialized, .blocking, .timeLimit(.minutes(5)))
struct AttackTests {
    /// With limits by address, and with the memory budget alone.
    @Test(arguments: [
        ["--address-limits", "all"],
        ["--address-connections", "0", "--address-streams", "0", "--address-sessions", "0", "--address-bytes", "0"],
    ])
    func `an attacker of one address keeps nobody else waiting, and nothing is killed`(options: [String]) async throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let program = try Program(
            [
                "\(Program.products)/GalleryProgram", "serve", "--no-supervisor", "--port", "0", "--journal",
                "sqlite:\(folder("journal.sqlite"))", "--memory", "256MB",
            ] + options, errors: .nowhere)
        let port = try #require(program.readPort())
        let victim = try Victim(port: port)
        let attack = Attack(port: port)
        let seconds = Program.environment["USHER_LONG"] == nil ? 10 : 120
        try await withThrowingTaskGroup(of: Void.self) { group in
            for work in [Attack.openSessions, Attack.openSessions, Attack.watch, Attack.dribble] {
                group.addTask { work(attack)() }
            }
            defer { attack.stop() }
            try victim.live(for: seconds, beside: program)
        }
        #expect(victim.answers > 20 * seconds / 10, "\(victim.answers) answers")
        #expect(victim.slowest < 3, "the slowest took \(victim.slowest) s")
        #expect(victim.peak >> 20 < 256 + 64, "\(victim.peak >> 20) MB")
        #expect(attack.answers.load(ordering: .relaxed) > 100)
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }
}

/// A client with a session of its own, which goes on while the server is under attack.
private final class Victim {
    private let client: LocalhostClient
    private let path: String
    private(set) var answers = 0
    /// The longest that an answer took, in seconds.
    private(set) var slowest = 0.0
    /// The most memory that the server had.
    private(set) var peak = 0

    init(port: Int) throws {
        client = LocalhostClient(port: port, from: 3)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"gallery"}"#)
        path = try #require(opened["Location"])
    }

    func live(for seconds: Int, beside program: Program) throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while clock.now < end {
            for (method, path, body) in [
                ("POST", "\(path)/events", #"{"event":"alert"}"#), ("GET", path, nil),
                ("POST", "\(path)/events", #"{"event":"no"}"#), ("GET", "/healthz", nil),
            ] {
                let start = clock.now
                let answer = try client.request(method, path, body: body)
                let duration = clock.now - start
                slowest = max(
                    slowest, Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
                #expect(answer.status == 200, "\(method) \(path): \(answer.status)")
                answers += 1
            }
            peak = max(peak, program.residentBytes)
        }
    }
}

/// An attacker, who does each thing as fast as he can.
private final class Attack: Sendable {
    let answers = Atomic(0)
    private let port: Int
    private let isOver = Atomic(false)
    private let path = Mutex("")

    init(port: Int) {
        self.port = port
    }

    func stop() { isOver.store(true, ordering: .relaxed) }

    private var goesOn: Bool { !isOver.load(ordering: .relaxed) }

    private static let large = #"{"event":{"echo":{"text":"\#(String(repeating: "x", count: 60_000))"}}}"#

    /// Opens sessions, each of which is made large.
    func openSessions() {
        let client = LocalhostClient(port: port, from: 2)
        while goesOn {
            guard let opened = try? client.request("POST", "/sessions", body: #"{"app":"gallery"}"#) else { continue }
            answers.add(1, ordering: .relaxed)
            guard let path = opened["Location"] else { continue }
            self.path.withLock { $0 = path }
            let status = try? client.request("POST", "\(path)/events", body: Self.large).status
            if status != nil { answers.add(1, ordering: .relaxed) }
        }
    }

    /// Opens streams that he never reads, and lets all go when there are many.
    func watch() {
        var streams: [RawConnection] = []
        while goesOn {
            if streams.count > 600 { streams = [] }
            guard let stream = try? RawConnection(port: port, from: 2, timeout: 1, room: 4_096) else { continue }
            let path = path.withLock { $0 }
            try? stream.send("GET \(path)/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            streams.append(stream)
        }
    }

    /// Begins heads that he never ends.
    func dribble() {
        var connections: [RawConnection] = []
        while goesOn {
            if connections.count > 600 { connections = [] }
            guard let connection = try? RawConnection(port: port, from: 2, timeout: 1) else { continue }
            try? connection.send("GET /")
            connections.append(connection)
        }
    }
}
