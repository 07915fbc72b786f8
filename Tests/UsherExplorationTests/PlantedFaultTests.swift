import Testing
import Usher
import UsherExploration

/// Tests that each planted fault is found with the way to it, and that an app without a fault has no findings.
@Suite("An exploration of planted faults", .timeLimit(.minutes(5)))
struct PlantedFaultTests {
    /// A fault, the kind of its finding, words of its sentence, and the way to it.
    struct Case: CustomTestStringConvertible {
        let fault: PlantedApp.Fault
        let kind: ExplorationFinding.Kind
        let words: String
        let way: [String]
        var testDescription: String { fault.rawValue }
    }

    static let cases = [
        Case(fault: .deadEnd, kind: .deadEnd, words: "to another state", way: ["open"]),
        Case(fault: .trap, kind: .trap, words: "the screen home below is never visible again", way: ["open"]),
        Case(fault: .leak, kind: .leak, words: "LeakingCoordinator", way: ["open", "left"]),
        Case(fault: .failure, kind: .failure, words: "PlantedFailure", way: ["open"]),
        Case(fault: .difference, kind: .difference, words: "the same inputs led to two results", way: ["open"]),
        Case(fault: .emptyWindow, kind: .emptyWindow, words: "the window shows no screen", way: ["open"]),
        Case(fault: .badExample, kind: .badExample, words: "no such choice", way: ["open", "choose"]),
        Case(fault: .warning, kind: .warning, words: "`dismiss` did nothing", way: ["open"]),
        Case(fault: .untakenFlow, kind: .untakenFlow, words: "planted.room", way: []),
    ]

    @Test(arguments: cases)
    func `the exploration finds each planted fault and the shortest path to the fault`(planted: Case) async throws {
        let exploration = await explore(planted.fault)
        let finding = try #require(exploration.findings.first { $0.kind == planted.kind })
        #expect(finding.kind.isWrong && finding.text.contains(planted.words), "\(finding.text)")
        let way = exploration.way(to: finding) ?? []
        #expect(way.map { exploration.passages[$0].offer.label } == planted.way)
    }

    @Test func `the exploration reports a leak, with the object that holds the leaked object`() async throws {
        let finding = try #require(await explore(.leak).findings.first { $0.kind == .leak })
        #expect(finding.text.contains("keep"), "\(finding.text)")
    }

    @Test func `if the same inputs lead to two results, only the first input that causes the difference is reported`()
        async
    {
        let exploration = await explore(.difference)
        // The room and the screen behind it keep the number that differs.
        let differing = exploration.passages.filter { $0.report?.difference != nil }
        #expect(differing.count > 1)
        let findings = exploration.findings.filter { $0.kind == .difference }
        #expect(findings.count == 1)
        #expect(findings.allSatisfy { $0.text.hasPrefix("home: open: the same inputs led to two results: ") })
    }

    @Test func `a warning that occurs at two places is reported as one finding, with a count`() async {
        let findings = await explore(.warning).findings.filter { $0.kind == .warning }
        #expect(findings.map(\.otherPlaces) == [1])
        #expect(findings.allSatisfy { $0.text.hasPrefix("home: open: ") && $0.text.contains("`dismiss` did nothing") })
    }

    @Test func `the exploration reports nothing wrong in an app without faults`() async {
        let exploration = await explore(.none)
        #expect(exploration.isComplete)
        #expect(exploration.findings.filter { $0.kind.isWrong }.map(\.text) == [])
        // The home, its room, and the screen behind the room.
        #expect(exploration.states.count == 3)
    }

    @Test func `the exploration reports a screen that no path leads to`() async {
        let findings = await explore(.failure).findings.filter { $0.kind == .unreachable }
        #expect(
            findings.map { $0.text.prefix { $0 != ";" } } == [
                "no input leads to the screen \"room\", which the app lists",
                "no input leads to the screen \"stuck\", which the app lists",
            ])
    }

    @Test func `the exploration of an app with endless states stops at a limit, and reports a path that grows`()
        async throws
    {
        var bounds = Explorer.Bounds()
        bounds.states = 40
        let exploration = await explore(.endless, within: bounds)
        #expect(!exploration.isComplete && exploration.bound == .states && exploration.states.count == 40)
        let finding = try #require(exploration.findings.first { $0.kind == .incomplete })
        #expect(finding.text.hasPrefix("the exploration reached its limit of states, with 40 states found"))
        #expect(try #require(exploration.way(to: finding)).count > 3)
    }

    @Test func `pages that differ only in content are not reported as dead ends`()
        async throws
    {
        let exploration = await explore(.pages)
        #expect(
            exploration.findings.filter { $0.kind == .deadEnd || $0.kind == .unreachable }.map(\.kind) == [
                .unreachable, .unreachable,
            ])
        let texts = exploration.findings.map(\.text)
        #expect(texts.contains { $0.contains("page: ") && $0.contains("set --with-states") }, "\(texts)")
    }

    @Test func `a screen whose next screens are beyond the limit of states is not reported as a dead end`() async {
        var bounds = Explorer.Bounds()
        bounds.states = 1
        let exploration = await explore(.none, within: bounds)
        #expect(exploration.findings.filter { $0.kind.isWrong }.map(\.kind) == [.incomplete])
    }

    @Test func `the depth limit counts as reached only if some input was left to try`() async {
        var bounds = Explorer.Bounds()
        bounds.depth = 1
        #expect(await explore(.none, within: bounds).bound == .depth)
        bounds.depth = 3
        #expect(await explore(.none, within: bounds).isComplete)
    }

    @Test func `at the time limit, the exploration finishes the inputs that it is trying, and ends`() async {
        var bounds = Explorer.Bounds()
        bounds.time = .zero
        let exploration = await explore(.endless, within: bounds)
        #expect(exploration.bound == .time && exploration.coverage.tried < exploration.coverage.offered)
    }

    @Test func `the findings do not depend on how many inputs are tried concurrently`() async {
        var bounds = Explorer.Bounds()
        bounds.states = 60
        let alone = await explore(.endless, within: bounds)
        let together = await explore(.endless, within: bounds, width: 4)
        #expect(alone.states.map(\.reached.stacks) == together.states.map(\.reached.stacks))
        #expect(alone.findings.map(\.text) == together.findings.map(\.text))
    }

    private func explore(
        _ fault: PlantedApp.Fault, within bounds: Explorer.Bounds = Explorer.Bounds(), width: Int = 1
    ) async -> Exploration {
        let opening = ExplorationOpening(app: PlantedApp.name, options: #"{"fault":"\#(fault.rawValue)"}"#)
        let place = ProbesInProcess(PlantedApp.self, width: width)
        return await Explorer(PlantedApp.self, from: opening, within: bounds, in: place).explore()
    }
}
