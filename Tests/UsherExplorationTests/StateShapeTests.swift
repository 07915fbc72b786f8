import Testing
import Usher
import UsherExploration

/// An app that counts visits, and whose home leads to a page once it has a user.
private enum MemberApp: App {
    static var screens: [any Screen.Type] { [MemberHome.self, MemberPage.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { MemberCoordinator() }
}

private struct MemberHome: Screen {
    enum Event: Codable, CaseIterable { case signIn, openPage, visit }

    var user: String?
    var visits = 0
}

private struct MemberPage: Screen {}

private final class MemberCoordinator: Coordinator<Never> {
    private var home: Handle<MemberHome>?
    private var user: String?

    override func start() {
        home = push(MemberHome()) { me, event in
            switch event {
            case .signIn: me.signIn()
            case .openPage: try me.openPage()
            case .visit: me.home?.update { $0.visits += 1 }
            }
        }
    }

    private func signIn() {
        user = "kim"
        home?.update { $0.user = user }
    }

    private func openPage() throws {
        guard user != nil else { throw Refusal("sign in first") }
        push(MemberPage())
    }
}

@Suite("What distinguishes the states of an exploration")
struct StateShapeTests {
    private func explore(includingStates: Bool) async -> Exploration {
        var bounds = Explorer.Bounds()
        bounds.states = 20
        let opening = ExplorationOpening(app: MemberApp.name)
        return await Explorer(
            MemberApp.self, from: opening, within: bounds, includingStates: includingStates,
            in: ProbesInProcess(MemberApp.self)
        ).explore()
    }

    @Test func `a user's home and a guest's home are different states, and a new count makes no new state`() async {
        let exploration = await explore(includingStates: false)
        #expect(exploration.isComplete && exploration.states.count == 3)
        #expect(exploration.findings.filter { $0.kind.isWrong }.map(\.text) == [])
    }

    @Test func `if states include all values, a number that grows makes the exploration endless`() async {
        let exploration = await explore(includingStates: true)
        #expect(exploration.bound == .states)
    }
}
