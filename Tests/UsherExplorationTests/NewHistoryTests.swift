import Testing
import Usher
import UsherExploration

/// An app whose root starts over when a page is closed.
private enum CircleApp: App {
    struct Options: Codable, Sendable {
        var circle = 0
    }

    static var options: Options { Options() }
    static var screens: [any Screen.Type] { [CircleScreen.self, CirclePage.self] }

    static func root(_ options: Options) -> sending AnyCoordinator { CircleCoordinator(options) }
}

private struct CircleScreen: Screen {
    enum Event: Codable, CaseIterable { case open }

    var circle: Int
}

private struct CirclePage: Screen { enum Event: Codable, CaseIterable { case again } }

private final class CircleCoordinator: Coordinator<Never> {
    private let options: CircleApp.Options

    init(_ options: CircleApp.Options) {
        self.options = options
    }

    override func start() {
        push(CircleScreen(circle: options.circle)) { me, _ in
            me.push(CirclePage()) { me, _ in try me.startOver(with: CircleApp.Options(circle: me.options.circle + 1)) }
        }
    }
}

@Suite("The exploration of an app that starts over")
struct NewHistoryTests {
    @Test func `after the app has started over, the exploration is in the first state again and reports no fault`()
        async
    {
        var bounds = Explorer.Bounds()
        bounds.states = 20
        let exploration = await Explorer(
            CircleApp.self, from: ExplorationOpening(app: CircleApp.name), within: bounds, includingStates: false,
            in: ProbesInProcess(CircleApp.self)
        ).explore()
        #expect(exploration.isComplete && exploration.states.count == 2)
        #expect(exploration.findings.filter { $0.kind.isWrong }.map(\.text) == [])
    }
}
