import Glibc
import LocalhostClient
import Programs
import Testing

/// Tests P6 and the budgets: an attacker with one address must not use up memory or connections that others need.
@Suite("A server under attack", .serialized, .blocking, .timeLimit(.minutes(LongRun.isOn ? 30 : 5)))
struct AttackTests {
    /// The budgets that protect against an attacker.
    enum Budgets: CaseIterable {
        /// The default limits by address, applied to this machine's addresses too.
        case byAddress
        /// Only the memory limits.
        case ofMemory

        var options: [String] {
            switch self {
            case .byAddress: ["--address-limits", "all"]
            case .ofMemory:
                [
                    "--address-connections", "0", "--address-streams", "0", "--address-sessions", "0",
                    "--address-bytes", "0",
                ]
            }
        }
    }

    private static let memory = 512 << 20
    private static let seconds = (before: LongRun.choose(1, long: 20), meanwhile: LongRun.choose(5, long: 120))
    /// The number of inputs of the sessions whose inputs are rejected.
    private static let history = LongRun.choose(500, long: 10_000)

    @Test(arguments: Budgets.allCases)
    func `an attack from one address neither delays clients at other addresses nor crashes the server`(
        behind budgets: Budgets
    ) throws {
        // The folder is not in memory, because its files would count towards the group's memory.
        let folder = try TemporaryFolder()
        let group = MemoryGroup(memory: Self.memory)
        let serve = [
            "\(Program.products)/GalleryProgram", "serve", "--no-supervisor", "--port", "0", "--journal",
            "sqlite:\(folder("journal.sqlite"))", "--max-inputs", "1000000",
        ]
        let program = try Program(
            Self.limited(serve + budgets.options, by: group),
            environment: Program.environment.merging(["USHER_ADMIN_TOKEN": LocalhostClient.operatorToken]) { $1 },
            errors: .nowhere)
        let port = try #require(program.readPort())
        let victim = Victim(port: port)
        let before = try victim.live(for: Self.seconds.before, beside: program)
        let attack = Attack(port: port)
        try attack.prepare(histories: 2, of: Self.history)
        let meanwhile = try attack.run {
            try victim.live(for: Self.seconds.meanwhile, beside: program)
        }
        print("load: attacked \(budgets): alone \(before), attacked \(meanwhile); \(attack.summary)")
        #expect(meanwhile.count > 2 * Self.seconds.meanwhile, "\(meanwhile)")
        if LongRun.isOn {
            #expect(meanwhile.worst < .seconds(3), "\(meanwhile)")
            if budgets == .byAddress { #expect(meanwhile.high < before.high * 10) }
        }
        #expect(attack.count > 20)
        #expect(meanwhile.peak < Self.memory, "\(meanwhile)")
        #expect(group?.kills ?? 0 == 0)
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }

    /// Returns a command with limits, in a control group if there is one.
    private static func limited(_ command: [String], by group: MemoryGroup?) -> [String] {
        if let group { return group.command(command) }
        print("load: no control group may be made here: --memory and ulimit stand in for it")
        return ["bash", "-c", "ulimit -d \(memory >> 10) && exec \"$0\" \"$@\""] + command
            + ["--memory", "\(memory / 4 * 3)"]
    }
}

/// A client with its own session, which continues during the attack.
private final class Victim {
    /// The response times, and the server's memory in the meantime.
    struct Experience: CustomStringConvertible {
        fileprivate(set) var times: [Duration] = []
        /// The peak memory of the server's process.
        fileprivate(set) var peak = 0

        var count: Int { times.count }
        var worst: Duration { times.max() ?? .zero }
        /// The 99th percentile of the response times.
        var high: Duration { times.sorted().dropLast(times.count / 100).last ?? .zero }
        var description: String { "\(count) answers, p99 \(high), worst \(worst), \(peak >> 20) MB" }
    }

    private let client: LocalhostClient

    init(port: Int) {
        client = LocalhostClient(port: port, from: 3)
    }

    private func open() throws -> String {
        try #require(try client.request("POST", "/sessions", body: #"{"app":"gallery"}"#)["Location"])
    }

    func live(for seconds: Int, beside program: Program) throws -> Experience {
        var experience = Experience()
        let end = ContinuousClock.now + .seconds(seconds)
        // Use one session for all requests, because a server that is short of memory opens no others.
        let path = try open()
        while ContinuousClock.now < end {
            for (method, path, body) in [
                ("POST", "\(path)/events", #"{"event":"alert"}"#), ("GET", path, nil),
                ("POST", "\(path)/events", #"{"event":"no"}"#), ("GET", "/healthz", nil),
            ] {
                let start = ContinuousClock.now
                let answer = try client.request(method, path, body: body)
                experience.times.append(.now - start)
                #expect(answer.status == 200, "\(method) \(path): \(answer.status)")
            }
            experience.peak = max(experience.peak, program.residentBytes)
        }
        return experience
    }
}
