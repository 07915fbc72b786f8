import SeededRandom
import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherServer
@testable import UsherSessions

@Suite("A sample of the sessions that is checked before a takeover", .timeLimit(.minutes(2)))
struct ReleaseSampleTests {
    @Test(arguments: [
        // Computed with integers: the largest number for which more than 5 of 100 samples contain so few.
        (10, 5, 0, 3), (100, 10, 0, 24), (100, 10, 1, 38), (100, 50, 0, 4), (100, 50, 3, 12), (1_000, 100, 0, 28),
        (1_000, 100, 5, 99), (1_000, 300, 0, 8), (1_000, 999, 0, 0), (1_000, 999, 7, 7), (3, 1, 0, 2), (3, 1, 1, 3),
        (2_000, 59, 0, 97), (500, 200, 199, 499), (500, 200, 200, 500),
        // All sessions are checked, or none.
        (50, 50, 7, 7), (50, 50, 0, 0), (50, 50, 50, 50), (50, 0, 0, 50), (0, 0, 0, 0),
    ])
    func `the bound is the largest number of affected sessions that the sample does not rule out`(
        sessions: Int, checked: Int, found: Int, bound: Int
    ) {
        #expect(ReleaseSample(sessions: sessions, checked: checked).bound(for: found) == bound)
    }

    @Test(arguments: [(10, 0, 25.89), (10, 1, 39.42), (20, 2, 28.26), (100, 0, 2.95), (100, 5, 10.23), (300, 0, 0.99)])
    func `for very many sessions, the bound is that of Clopper and Pearson`(
        checked: Int, found: Int, percent: Double
    ) {
        let bound = ReleaseSample(sessions: 10_000_000, checked: checked).bound(for: found)
        #expect(abs(Double(bound) / 100_000 - percent) < 0.01, "\(bound)")
    }

    @Test func `the bound of a large sample is close to the share in the sample`() {
        let bound = ReleaseSample(sessions: 1_000_000, checked: 100_000).bound(for: 5_000)
        #expect((51_000..<51_200).contains(bound), "\(bound)")
    }

    @Test func `the bound is correct in about 95 of 100 samples`() {
        var random = SplitMix64(seed: 7)
        let all = (0..<400).map { $0 < 100 }
        let misses = (0..<1_000).count { _ in
            let found = all.shuffled(using: &random).prefix(200).count { $0 }
            return ReleaseSample(sessions: 400, checked: 200).bound(for: found) < 100
        }
        #expect((20...65).contains(misses), "\(misses)")
    }

    @Test func `without a time limit, every session is checked once`() async throws {
        let runner = try await Runner(sessions: 100)
        let sample = try await runner.sample(within: nil)
        #expect(sample == ReleaseSample(sessions: 100, checked: 100, held: 34, ended: 16, resumed: 33))
        #expect(runner.checked.count == 100 && Set(runner.checked).count == 100)
    }

    @Test func `a session that ends before it is checked is not part of the sample`() async throws {
        let runner = try await Runner(sessions: 100, endsOne: true)
        let sample = try await runner.sample(within: nil)
        #expect(sample.sessions == 99 && sample.checked == 99)
        #expect(sample.bound(for: sample.held) == sample.held)
    }

    @Test func `if time is short, the sessions to check are chosen at random`() async throws {
        // A page of 32 sessions takes 25 s, so a third page would not end in time.
        let runner = try await Runner(sessions: 200, secondsPerPage: 25)
        let sample = try await runner.sample(within: .seconds(60), seed: 1)
        #expect(sample.sessions == 200 && sample.checked == 64)
        let first = runner.checked
        #expect(first != first.sorted())
        _ = try await runner.sample(within: .seconds(60), seed: 1)
        #expect(runner.checked == first)
        _ = try await runner.sample(within: .seconds(60), seed: 2)
        #expect(Set(runner.checked) != Set(first))
    }

    @Test func `the check counts a page of sessions even if the page takes longer than the time limit`() async throws {
        let runner = try await Runner(sessions: 100, secondsPerPage: 90)
        #expect(try await runner.sample(within: .seconds(60)).checked == 32)
    }

    @Test func `a journal without sessions meets every limit`() async throws {
        let sample = try await Runner(sessions: 0).sample(within: .seconds(60))
        let limits = try limits("0", "0", "--all")
        #expect(sample == ReleaseSample() && sample.refusal(by: limits) == nil)
    }

    @Test func `the message of a refusal names the counts, the bound and the option`() throws {
        let sample = ReleaseSample(sessions: 20_000, checked: 1_200, held: 3, resumed: 40)
        #expect(sample.refusal(by: try limits("1%", "5%")) == nil)
        #expect(
            sample.refusal(by: try limits("100", "5%")) == """
                3 of 1200 checked sessions (at most 126 of all 20000, with 95 % confidence) would be held, which exceeds \
                --max-held 100; the running server continues, and "check" shows the causes
                """)
        let both = try #require(sample.refusal(by: try limits("0.1%", "3%")))
        #expect(both.contains("held, which exceeds --max-held 0.1%, and 40 of 1200 checked sessions"), "\(both)")
        #expect(both.contains("would be resumed, which exceeds --max-resumed 3%; "), "\(both)")
        let all = ReleaseSample(sessions: 20, checked: 20, held: 1, resumed: 20)
        #expect(all.refusal(by: try limits("1", "100%")) == nil)
        #expect(
            all.refusal(by: try limits("0", "20", "--all"))?.hasPrefix(
                "1 of 20 sessions would be held, which exceeds --max-held 0;") == true)
        let ending = ReleaseSample(sessions: 20, checked: 20, held: 1, ended: 2)
        #expect(ending.refusal(by: try limits("3", "0")) == nil)
        #expect(
            ending.refusal(by: try limits("2", "0"))?.hasPrefix(
                "3 of 20 sessions would be held, or end, which exceeds --max-held 2;") == true)
    }

    @Test func `the result of a check is the same after writing and reading it`() {
        let sample = ReleaseSample(sessions: 7, checked: 6, held: 3, ended: 2, resumed: 1)
        #expect(ReleaseSample(json: sample.json) == sample)
        #expect(ReleaseSample(json: "the journal cannot be read") == nil && ReleaseSample(json: "{}") == nil)
    }

    private func limits(_ held: String, _ resumed: String, _ options: String...) throws -> ReleaseLimits {
        let arguments = ["serve", "--replace", "--max-held", held, "--max-resumed", resumed] + options
        guard case .serve(let options) = try Command(arguments, environment: { $0 == "HOME" ? "/home/kim" : nil })
        else {
            throw UsageError("no serve")
        }
        return options.releaseLimits
    }
}

/// A runner that cannot try a third of the sessions, and reports that another third would be resumed, and every sixth ended.
private final class Runner: IsolatedRunner {
    let width = 1
    private let journal = MemoryJournal()
    private let registry: SessionRegistry
    private let secondsPerPage: Int64
    private let endsOne: Bool
    private let state = Mutex<(checked: [SessionID], now: Int64)>(([], 0))
    private let ids: [SessionID]
    private static let resumption = IsolatedEnd(.resumed)
    private static let end = IsolatedEnd(.ended)

    /// - Parameter endsOne: Whether a session ends while the first page is checked.
    init(sessions: Int, secondsPerPage: Int64 = 0, endsOne: Bool = false) async throws {
        self.secondsPerPage = secondsPerPage
        self.endsOne = endsOne
        registry = SessionRegistry(apps: [Builds.old], journal: journal, clock: SystemClock())
        var ids: [SessionID] = []
        for _ in 0..<sessions { ids.append(try await registry.open("shop").session.id) }
        self.ids = ids
    }

    /// The sessions of the last sample, in the order of their checks.
    var checked: [SessionID] { state.withLock { $0.checked } }

    func sample(within time: Duration?, seed: UInt64 = 1) async throws -> ReleaseSample {
        state.withLock { $0.checked = [] }
        var random = SplitMix64(seed: seed)
        let now = { self.state.withLock { $0.now } }
        return try await ReleaseSample(of: journal, by: self, within: time, now: now, random: &random)
    }

    func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome] {
        let isFirst = state.withLock { state in
            defer {
                state.checked += runs.compactMap(\.session)
                state.now += secondsPerPage * 1_000_000_000
            }
            return state.checked.isEmpty
        }
        if endsOne, isFirst, let last = ids.last(where: { id in !runs.contains { $0.session == id } }) {
            _ = try? await registry.end(last)
        }
        return runs.map { run in
            switch ids.firstIndex(where: { $0 == run.session }) ?? 0 {
            case let index where index % 3 == 0: .untried(reason: "no")
            case let index where index % 3 == 1: .ended(Self.resumption)
            case let index where index % 6 == 5: .ended(Self.end)
            default: .ended(.restored)
            }
        }
    }
}
