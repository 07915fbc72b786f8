import Testing
import Usher
import UsherExploration

/// An app of nested coordinators: each starts the next.
private enum DeepApp: App {
    static var screens: [any Screen.Type] { [DeepScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { DeepCoordinator() }
}

private struct DeepScreen: Screen {
    enum Event: Codable, CaseIterable { case deeper }
}

private final class DeepCoordinator: Coordinator<Never> {
    override func start() {
        push(DeepScreen()) { me, _ in me.start(DeepCoordinator()) }
    }
}

@Suite("An exploration of deep trees", .timeLimit(.minutes(5)))
struct DeepTreeTests {
    @Test func `an app whose coordinators start each other endlessly is explored up to the screen limit`() async {
        let opening = ExplorationOpening(app: DeepApp.name, screenLimit: 33)
        let exploration = await Explorer(DeepApp.self, from: opening, in: ProbesInProcess(DeepApp.self)).explore()
        #expect(exploration.isComplete)
        #expect(exploration.states.count == 33)
        #expect(exploration.findings.filter { $0.kind.isWrong }.map(\.text) == [])
    }
}
