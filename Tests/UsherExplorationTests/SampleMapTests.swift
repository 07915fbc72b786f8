import HelloBye
import Notes
import Sooda
import StartLoginMain
import Testing
import Tudy
import Usher
import UsherExploration

/// Compares the samples' states and inputs with those that were counted by hand.
@Suite("An exploration of a sample", .timeLimit(.minutes(5)))
struct SampleMapTests {
    /// Bye and hello each have one event.
    ///
    /// There are no links and no messages, and a root has no back.
    @Test func `the map of the sample app hello-bye has two states and two inputs`() async {
        let exploration = await explore(HelloByeApp.self)
        #expect(exploration.isComplete && exploration.states.count == 2 && exploration.passages.count == 2)
        #expect(wrong(in: exploration) == [])
    }

    /// Start; start and login; start and main; start, main and login.
    ///
    /// A start screen that knows its user looks the same as one that does not. Start has 1 input (`startApp`), the two
    /// of two screens have 3 each (their event, back, and the pop of the second screen), and the last has 4 (its event,
    /// back, and the pops of the second and the third): 1 + 3 + 3 + 4.
    @Test func `the map of the sample app start-login-main has four states and eleven inputs`() async {
        let exploration = await explore(StartLoginMainApp.self)
        #expect(exploration.isComplete && exploration.states.count == 4 && exploration.passages.count == 11)
        #expect(wrong(in: exploration) == [])
    }

    /// A note leads to the next note, up to the limit of a session's screens.
    ///
    /// With a limit of L screens there are: the list; the list under the settings; k details, for k from 1 to L - 1; k
    /// details under a sub screen, for k from 1 to L - 2. That is 2 L - 1 states.
    ///
    /// The list has 2 events, and the settings have `close`, back and their dismissal. k details have 3 events, back
    /// and k pops. k details and the sub screen have 2 events, back and k + 1 pops: k + 4 each. The sum is (L - 1)² + 8
    /// L - 7.
    ///
    /// All of that counts twice, because the list shows the last note if there was one.
    @Test(arguments: [4, 5, 6])
    func `the map of the sample app notes has as many states and inputs as the app's screens allow`(limit: Int) async {
        let exploration = await explore(NotesApp.self, screens: limit)
        #expect(exploration.isComplete && exploration.states.count == 2 * (2 * limit - 1))
        #expect(exploration.passages.count == 2 * ((limit - 1) * (limit - 1) + 8 * limit - 7))
        #expect(wrong(in: exploration) == [])
        #expect(exploration.findings.contains { $0.kind == .limit })
    }

    @Test(arguments: [SoodaApp.self, TudyApp.self] as [any App.Type])
    func `the explorations of the larger samples report no fault up to a limit of states`(app: any App.Type) async {
        var bounds = Explorer.Bounds()
        bounds.states = 60
        let exploration = await explore(app, within: bounds)
        #expect(exploration.findings.filter { $0.kind.isWrong && $0.kind != .incomplete }.map(\.text) == [])
    }

    @Test func `the map shows the screens and the inputs between them`() async {
        let map = ScreenMap(await explore(StartLoginMainApp.self))
        #expect(
            map.mermaid == """
                flowchart TD
                    start(( )) --> s0
                    s0["start"]
                    s1["login"]
                    s2["main"]
                    s0 -->|"startApp"| s1
                    s1 -->|"login<br>back"| s2
                    s1 -->|"back"| s0
                    s2 -->|"profileEdit"| s1
                    s2 -->|"back"| s0
                """)
        #expect(map.dot.contains("    s0 -> s1 [label=\"startApp\"];"))
    }

    private func wrong(in exploration: Exploration) -> [String] {
        exploration.findings.filter { $0.kind.isWrong }.map(\.text)
    }

    private func explore(
        _ app: any App.Type, within bounds: Explorer.Bounds = Explorer.Bounds(), screens: Int = 64
    ) async -> Exploration {
        let opening = ExplorationOpening(app: app.name, screenLimit: screens)
        return await Explorer(app, from: opening, within: bounds, in: ProbesInProcess(app, width: 2)).explore()
    }
}
