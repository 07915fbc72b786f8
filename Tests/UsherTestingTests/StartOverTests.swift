import Testing
import Usher
import UsherTesting

@Suite("A test of an app that starts over")
struct StartOverTests {
    @Test func `a test continues with the new root, and the replay at the test's end has the same result`() throws {
        let app = try AppUnderTest(RunApp.self)
        app.send("open")
        app.expectStack("n[run, page]")
        app.send("again")
        app.expectStack("n[run]")
        app.expectTree("Run")
        app.send("open")
        app.send("again")
        app.expectStack("n[run]")
        app.finishTest()
    }

    @Test func `a coordinator that stays in memory after a new start causes an issue that names the holder`() throws {
        let app = try AppUnderTest(RunApp.self, options: RunApp.Options(hoards: true))
        app.send("open")
        expectIssue("PageCoordinator", "itself") { app.send("again") }
    }
}

private enum RunApp: App {
    struct Options: Codable, Sendable {
        var run = 0
        var hoards = false
    }

    static var options: Options { Options() }
    static var screens: [any Screen.Type] { [RunScreen.self, PageScreen.self] }

    static func root(_ options: Options) -> sending AnyCoordinator { RunCoordinator(options) }
}

private struct RunScreen: Screen {
    enum Event: Codable, CaseIterable { case open }

    var run: Int
}

private struct PageScreen: Screen { enum Event: Codable, CaseIterable { case again } }

private final class RunCoordinator: Coordinator<Never> {
    private var options: RunApp.Options

    init(_ options: RunApp.Options) {
        self.options = options
    }

    override func start() {
        push(RunScreen(run: options.run)) { me, _ in
            let page = PageCoordinator()
            if me.options.hoards { page.itself = page }
            me.start(page) { me, _ in
                me.options.run += 1
                try me.startOver(with: me.options)
            }
        }
    }
}

private final class PageCoordinator: Coordinator<Void> {
    var itself: PageCoordinator?

    override func start() {
        push(PageScreen()) { me, _ in me.finish() }
    }
}
