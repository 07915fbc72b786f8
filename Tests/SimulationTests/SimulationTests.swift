import Programs
import Testing

/// Tests of a whole server with its clients in one process, driven by seeds.
struct SimulationTests {
    /// The number of seeds.
    ///
    /// With half of them, the server restarts as other builds of the app.
    private static let count = LongRun.choose(500, long: 20_000)

    @Test(arguments: 0..<4)
    func `whatever happens to the servers, clients see only what a single correct server could show`(_ part: Int) throws
    {
        let count = Self.count / 4
        let end = try Program.run(Self.simulation(from: 1 + part * count, count))
        #expect(end.status == 0, "\(end.output)")
        #expect(end.output.contains("\(count) seeds, 0 contradictions"), "\(end.output)")
    }

    @Test(
        arguments: [
            ("lostCommit", "stale|both|had|lost"), ("lostSync", "stale|both|had|lost|rest|answered"),
            ("doubledEffect", "doubled"), ("staleRecord", "stale|both|had|acknowledged|answered"),
            ("leakedWait", "idle|rest|end"), ("repeatedEffect", "runs again|begun twice"),
            ("otherScreen", "the screen"), ("writtenAtWake", "no input came"), ("doubledTimer", "doubled|both|had"),
        ])
    func `each planted bug is found within a hundred seeds, and is found again with the same seed`(
        _ bug: String, _ words: String
    ) throws {
        let end = try Program.run(Self.simulation(from: 1, 100, bug))
        #expect(end.status == 1, "\(end.output)")
        let finding = try #require(end.output.split(separator: "\n").first { $0.hasPrefix("seed ") })
        let seed = try #require(Int(finding.dropFirst(5).prefix { $0 != ":" }))
        #expect(try finding.contains(Regex(words)), "\(finding)")
        let again = try Program.run(Self.simulation(from: seed, 1, bug))
        #expect(again.output.contains(finding), "\(again.output)")
    }

    @Test func `a simulation with the same seed makes the same run`() throws {
        let first = try Program.run(Self.simulation(from: 7, 10)).output
        #expect(first.split(separator: "\n").count { $0.contains("digest") } == 10)
        #expect(try Program.run(Self.simulation(from: 7, 10)).output == first)
    }

    private static func simulation(from seed: Int, _ count: Int, _ bug: String? = nil) -> [String] {
        ["\(Program.products)/Simulation", "--seed", "\(seed)", "--count", "\(count)"]
            + (bug.map { ["--bug", $0] } ?? [])
    }
}
