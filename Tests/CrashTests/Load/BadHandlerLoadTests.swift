import LocalhostClient
import Programs
import Testing

/// Tests P5 under load: each bad handler harms only its own session, however it is started.
@Suite("Handlers that crash or hang under load", .serialized, .blocking, .timeLimit(.minutes(LongRun.isOn ? 60 : 5)))
struct BadHandlerLoadTests {
    /// A mistake in a handler, and the kind of input that runs it.
    struct Case: CustomTestStringConvertible, Sendable {
        let way: Way
        let deed: String
        var keeper = RestartingServer.Keeper.supervisor

        var testDescription: String { "\(deed) by \(way), under \(keeper)" }
        /// Whether the handler blocks its thread until the watchdog ends the process.
        var isHanging: Bool { ["loop", "block"].contains(deed) }
    }

    private static let deeds = ["index", "recurse", "exit", "abort", "loop", "block", "allocate"]
    /// Each mistake except `block`, which is like `loop`, and each kind of input at least once; all combinations in a long
    /// run.
    private static let cases = RestartingServer.Keeper.allCases.flatMap { keeper -> [Case] in
        guard LongRun.isOn else {
            return zip([Way.event, .timer, .result, .replay, .creation, .event, .result], deeds).filter {
                $1 != "block" && (keeper == .supervisor || $1 == "index")
            }.map { Case(way: $0, deed: $1, keeper: keeper) }
        }
        return Way.allCases.flatMap { way in deeds.map { Case(way: way, deed: $0, keeper: keeper) } }
    }

    private static let clients = 0..<8
    /// The number of payloads and sessions; after three crashes of a kind, the server rejects it.
    private static let numbers = LongRun.choose(4, long: 12)
    private static let timeout = Duration.seconds(1)
    /// The time that other clients may wait for a restart.
    private static let pause = Duration.milliseconds(500)

    @Test(arguments: cases)
    func `crashes of handlers lose no data, delay other clients by at most one restart, and soon stop`(
        case offence: Case
    ) async throws {
        let server = try RestartingServer(offence.keeper, ["--handler-timeout", "1s"])
        var offender = Offender(offence.way, offence.deed, port: server.port)
        try offender.prepare(Self.numbers)
        if offence.way == .replay {
            server.stop()
            try server.arm()
            try server.start()
        }
        let tallies = try await CountingClient.run(Self.clients, port: server.port) {
            try offender.offend(0, repeats: 20)
            #expect(server.deaths == 1, "the first is refused after one crash, and its trial")
            for number in 1..<Self.numbers { try offender.offend(number, repeats: 2) }
        }
        #expect((1...3).contains(server.deaths), "after three of a kind the process stays up: \(server.deaths) deaths")
        for tally in tallies {
            #expect(tally.count == tally.acknowledged)
            #expect(tally.surprise == nil)
            if offence.keeper == .supervisor { #expect(tally.refusals == 0) }
        }
        #expect(server.stop() == 0)
        judge(tallies.flatMap(\.waits), offender.cuts, offence)
    }

    /// Checks the clients' waiting times, and prints the longest.
    private func judge(_ waits: [CountingClient.Wait], _ cuts: [ContinuousClock.Instant], _ offence: Case) {
        // Requests on the thread of a blocked handler have waited since before the block began.
        let (own, others) = waits.reduce(into: ([Duration](), [Duration]())) { sums, wait in
            let isOwn = offence.isHanging && cuts.contains { wait.begin < $0 + Self.start && wait.end > $0 }
            if isOwn { sums.0.append(wait.duration) } else { sums.1.append(wait.duration) }
        }
        let (worst, worstOwn) = (others.max() ?? .zero, own.max() ?? .zero)
        print(
            "load: \(offence.testDescription): \(waits.count) answers, worst wait \(worst), on its thread \(worstOwn)")
        guard LongRun.isOn else { return }
        #expect(worst <= Self.pause)
        #expect(worstOwn <= Self.timeout + Self.pause)
    }

    /// The time that a request may take until its handler runs.
    private static let start = Duration.milliseconds(150)
}

extension CountingClient.Wait {
    /// The time of the response.
    var end: ContinuousClock.Instant { begin + duration }
}
