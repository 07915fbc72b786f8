import LocalhostClient
import Programs
import ServerCluster
import Synchronization
import Testing

/// Tests a release that some sessions cannot follow, behind HAProxy as `deploy` configures it.
///
/// The release is ramped up, its servers are killed, it is taken back, and it is ramped up again.
@Suite("A rolling release", .blocking, .timeLimit(.minutes(LongRun.isOn ? 60 : 5)))
struct RollingReleaseTests {
    /// The newer build rejects numbers that are divisible by this number.
    private static let divisor = 7

    @Test func `while each build has a server, no request fails during a rolling release, a kill or a rollback`()
        async throws
    {
        let begin = ContinuousClock.now
        let cluster = try ServerCluster(count: 3)
        let build = try NewerBuild()
        let sessions = try await Self.open(LongRun.choose(120, long: 10_000), on: cluster)
        // The third server runs the newer build.
        try build.deploy(to: cluster.servers[2], refusing: Self.divisor)
        let proxy = try RollingProxy(new: [cluster.servers[2]], old: Array(cluster.servers[0...1]))
        let progress = LoadProgress()
        let clients = 6
        let trials = try await withThrowingTaskGroup(of: [ReleaseTrial].self) { group in
            for client in 0..<clients {
                let own = sessions.enumerated().filter { $0.offset % clients == client }.map(\.element)
                group.addTask { Self.use(own, behind: proxy.port, progress) }
            }
            do {
                defer { progress.finish() }
                for (new, old) in [(1, 99), (128, 128), (254, 2)] {
                    try proxy.weigh(new: new, old: old)
                    Self.load(progress, 200)
                }
                // Each build keeps a server, except while a server starts.
                for server in [cluster.servers[0], cluster.servers[2]] {
                    progress.isHeldUp = true
                    server.kill()
                    Self.load(progress, 50)
                    try server.start()
                    progress.release(server)
                    Self.load(progress, 100)
                }
                try proxy.weigh(new: 2, old: 254)
                Self.load(progress, 200)
                try proxy.weigh(new: 254, old: 2)
                Self.load(progress, 200)
            }
            return try await group.reduce([]) { $0 + $1 }
        }
        #expect(trials.flatMap(\.surprises).prefix(5) == [])
        #expect(trials.contains { $0.numbers.contains { $0 % Self.divisor == 0 } })
        let diverging = trials.count { $0.isDiverging }
        let refused = try Self.refused(by: cluster.servers[1])
        #expect(refused <= diverging)

        // The older build ends: sessions that can follow stay unchanged, and the others resume at an earlier revision.
        for server in cluster.servers[0...1] { #expect(server.stop() == 0) }
        let client = PinnedClient(cluster.servers[2])
        for trial in trials {
            let expected = trial.numbers.prefix { $0 % Self.divisor != 0 }
            #expect(Self.numbers(of: trial.session, by: client) == Array(expected), "\(trial.session.id)")
        }
        if LongRun.isOn { print(Self.figures(of: trials), "\(refused) refused, \(ContinuousClock.now - begin)") }
        if !trials.flatMap(\.surprises).isEmpty { print(cluster.log.suffix(20_000)) }
    }

    /// Waits until a number of inputs have responses; the number is larger in a long run, which has more sessions.
    private static func load(_ progress: LoadProgress, _ inputs: Int) {
        progress.wait(for: inputs * LongRun.choose(1, long: 20), atMost: LongRun.choose(20, long: 240))
    }

    /// Returns a summary of a long run.
    private static func figures(of trials: [ReleaseTrial]) -> String {
        let statuses = trials.reduce(into: [Int: Int]()) { $0.merge($1.statuses, uniquingKeysWith: +) }
        let answers = statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let inputs = trials.reduce(0) { $0 + $1.numbers.count }
        return """
            \(trials.count) sessions, \(trials.count { !$0.statuses.isEmpty }) used during the release; \(inputs) inputs; \
            answers by status, 0 for none: \(answers); \(trials.reduce(0) { $0 + $1.surprises.count }) surprises;
            """
    }

    /// Opens sessions, a third of which have handled a number that the newer build rejects.
    private static func open(_ count: Int, on cluster: ServerCluster) async throws -> [ReleaseTrial] {
        let client = PinnedClient(cluster.servers[0])
        return try (0..<count).map { index in
            var trial = ReleaseTrial(session: try client.open())
            trial.numbers = index % 3 == 0 ? [1, divisor, 2] : [1, 2]
            for number in trial.numbers { _ = client.add(number, to: trial.session) }
            return trial
        }
    }

    /// Uses sessions like a client, which repeats an input with its key until there is a response, and reads the state.
    private static func use(_ trials: [ReleaseTrial], behind port: Int, _ progress: LoadProgress) -> [ReleaseTrial] {
        var trials = trials
        let client = LocalhostClient(port: port, timeout: 10)
        var number = 100
        while !progress.isOver {
            for index in trials.indices where !progress.isOver {
                number += 1
                // No build rejects the numbers that these sessions get from now on.
                if number % divisor == 0 { number += 1 }
                trials[index].add(number, with: client, progress)
                progress.note()
            }
        }
        return trials
    }

    private static func numbers(of session: LoadSession, by client: PinnedClient) -> [Int]? {
        let end = LoadClient.now + 20_000_000_000
        while LoadClient.now < end {
            if case .state(_, let numbers) = client.look(at: session).answer { return numbers }
            LoadProgress.pause()
        }
        return nil
    }

    /// Returns the number of sessions that the newer build has left to the older.
    private static func refused(by server: ClusterServer) throws -> Int {
        let nodes = try server.client().request("GET", "/admin/nodes").text
        let count = try #require(nodes.firstMatch(of: /"sessions":(\d+)/), "\(nodes)")
        return Int(count.1) ?? 0
    }
}

/// A session during a release, with its client's results.
private struct ReleaseTrial: Sendable {
    let session: LoadSession
    /// The acknowledged numbers.
    var numbers: [Int] = []
    /// The responses that no client should get.
    var surprises: [String] = []
    /// The number of responses during the release by status, including retries; 0 stands for no response.
    var statuses: [Int: Int] = [:]

    var isDiverging: Bool { numbers.contains { $0 % 7 == 0 } }

    init(session: LoadSession) { self.session = session }

    /// Adds a number; repeats the request only if a server was killed during it.
    mutating func add(_ number: Int, with client: LocalhostClient, _ progress: LoadProgress) {
        let body = #"{"event":{"add":{"number":\#(number)}}}"#
        for _ in 0..<400 {
            let mayFail = progress.isHeldUp
            let answer = try? client.request(
                "POST", "\(session.path)/events", headers: [("Idempotency-Key", "release-\(number)")], body: body)
            statuses[answer?.status ?? 0, default: 0] += 1
            guard let answer, answer.status < 500 else {
                if !mayFail, !progress.isHeldUp {
                    surprises.append("\(session.id): \(answer.map { "\($0.status) \($0.text)" } ?? "no answer")")
                }
                LoadProgress.pause()
                continue
            }
            numbers.append(number)
            let shown = LedgerState(answer.body)?.numbers
            if answer.status != 200 || shown != numbers {
                surprises.append("\(session.id): \(answer.status) \(answer.text), expected \(numbers)")
            }
            return
        }
        surprises.append("\(session.id): \(number) was not answered in time")
    }
}
