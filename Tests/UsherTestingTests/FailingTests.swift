import LocalhostClient
import Testing
import Usher
import UsherTesting

/// Tests that mistakes are detected, and reported so that an author can correct them.
@Suite("AppUnderTest: failed expectations", .blocking)
struct FailingTests {
    @Test func `an issue shows a different stack below the expected stack, with the difference marked`() throws {
        let app = try AppUnderTest(PlayApp.self)
        app.send("push")
        expectIssue(
            """
            after {"event":"push"}: the stack is not as expected
            expected  n[play, bother]
                              ^
            found     n[play, other]
                              ^
            """
        ) { app.expectStack("n[play, bother]") }
        expectIssue("expected  n[play]", "found     n[play, other]\n                ^^^^^^^") {
            app.expectStack("n[play]")
        }
    }

    @Test func `a tree, state, screen, change or ending that differs from the expected one causes an issue`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue("tree", "Play→[Other]") { app.expectTree("Play→[Other]") }
        expectIssue("state", #"{"note":"x"}"#) { app.expectState(#"{"note":"x"}"#) }
        expectIssue("visible screen", #"play {"note":"x"}"#) { app.expectVisible(PlayScreen(note: "x")) }
        expectIssue("visible screen", "other {}") { app.expectVisible(OtherScreen()) }
        expectIssue("changed", #"[{"push":[1]}]"#) { app.expectChanges("[]") }
        expectIssue("it goes on") { app.expectEnded(#"{"reason":"finished"}"#) }
    }

    @Test func `a refused input causes an issue that has the reason`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue("refused", "not today") { app.send("refuse") }
        expectIssue("failed", "Failure()") { app.send("fail") }
        expectIssue("invalid", "it takes: push") { app.send("fly") }
        expectIssue("invalid", "root") { app.back() }
        expectIssue("invalid", "no tabs") { app.select("left") }
        expectIssue("invalid", "no flow") { app.open("nowhere") }
        expectIssue("stale", "never") { app.popped(7) }
        app.expectStack("n[play]")
    }

    @Test func `every failed expectation about an input shows the error that the input's handler threw`() throws {
        let app = try AppUnderTest(PlayApp.self)
        app.expectRefusal(.failed, naming: "Failure()") { $0.send("fail") }
        expectIssue("expected a refusal (refused)", "Failure()") {
            app.expectRefusal(.refused) { $0.send("fail") }
        }
        expectIssue("Failure()") { app.expectUnchanged { $0.send("fail") } }
    }

    @Test func `the words that a test expects in a refusal must be in the refusal's text, not in its kind`() throws {
        let app = try AppUnderTest(PlayApp.self)
        app.expectRefusal(.refused, naming: "not today") { $0.send("refuse") }
        expectIssue("not today") { app.expectRefusal(.refused, naming: "refused") { $0.send("refuse") } }
    }

    @Test func `a test does not send an event for a screen that is not visible`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue(#"the visible screen is "play", not "other""#) { app.send(.close, on: OtherScreen.self) }
        #expect(app.revision == 1)
    }

    @Test func `an event causes an issue if the screen accepts it but does not list it in its examples`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue(#"the screen "play" accepted the event "secret""#, "`examples`") { app.send("secret") }
        expectIssue("secret") { app.send(.secret, on: PlayScreen.self) }
        app.expectState(#"{"note":"secret"}"#)
    }

    @Test(arguments: Place.allCases)
    func `a leak causes an issue at the input that caused the leak`(place: Place) async throws {
        try await withKnownIssue {
            try await place.run(PlayApp.self) { app in
                app.send("leak")
                app.expectStack("n[play]")
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("memory") }
        }
    }

    @Test func `a screen that the app's list of screens lacks is reported as an issue once`() throws {
        let app = try AppUnderTest(ListingApp.self)
        expectIssue(#"the screen "other" is not among the app's `screens`; add OtherScreen.self"#) { app.send("push") }
        app.send("close")
        app.send("push")
    }

    @Test func `the issue for a leak names the object that holds the leaked object`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue("OtherCoordinator (play/other) was removed but is still in memory: held by OtherCoordinator.itself")
        {
            app.send("leak")
        }
        app.expectStack("n[play]")
    }

    @Test func `the issue for a leak says so if the test itself holds the leaked object`() throws {
        let app = try AppUnderTest(KeepingApp.self)
        expectIssue("OtherCoordinator (keeping/other)", "held by something outside the app: the test itself") {
            app.send("close")
        }
        KeepingCoordinator.forget()
    }

    @Test func `an object that stays in memory after its session ended causes an issue`() throws {
        try expectIssue(
            "the session has ended, but OtherCoordinator (play/other) is still in memory",
            "held by OtherCoordinator.itself"
        ) {
            let app = try AppUnderTest(PlayApp.self)
            app.send("hoard")
            app.finishTest()
            app.finishTest()
        }
    }

    @Test func `releasing the app under test finishes the test`() throws {
        try expectIssue("the session has ended, but OtherCoordinator") {
            let app = try AppUnderTest(PlayApp.self)
            app.send("hoard")
        }
    }

    @Test func `an app that handles an input differently in a replay causes an issue that names the input`() throws {
        let app = try AppUnderTest(PlayApp.self)
        app.send("push")
        app.send("close")
        app.send("global")
        expectIssue(#"{"event":"global"} had another result"#, "at first", "replayed", "globals") { app.finishTest() }
    }

    @Test func `a warning that the test does not expect causes an issue, and so does a missing warning`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue("the engine warns: PlayCoordinator: `dismiss` did nothing, because there is no modal") {
            app.send("misuse")
        }
        expectIssue("expected a warning with \"dismiss\", but there was none") {
            app.expectWarning("dismiss") { $0.send("push") }
        }
    }

    @Test func `a missing refusal causes an issue, and so does a different refusal`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue("expected a refusal (stale), but no input was sent") { app.expectRefusal(.stale) { _ in } }
        expectIssue("expected a refusal (stale), but an input was rejected (invalid)", "no event") {
            app.expectRefusal(.stale) { $0.send("fly") }
        }
        expectIssue("with \"tomorrow\", but an input was rejected (refused): not today") {
            app.expectRefusal(.refused, naming: "tomorrow") { $0.send("refuse") }
        }
        expectIssue("1 of 1 inputs were not rejected") { app.expectRefusal(.refused) { $0.send("push") } }
        app.expectStack("n[play, other]")
    }

    @Test func `a change that the test does not expect causes an issue`() throws {
        let app = try AppUnderTest(PlayApp.self)
        expectIssue("has changed") { app.expectUnchanged { $0.send("push") } }
        expectIssue("the input was rejected") { app.expectUnchanged { $0.send("fly") } }
    }

    @Test func `advancing a clock that the test does not control causes an issue`() async throws {
        try await Place.localhost.run(PlayApp.self) { app in
            expectIssue("the clock is the server's") { app.advance(by: .seconds(1)) }
        }
    }

    @Test func `an issue has the line of the test that caused the issue`() throws {
        let app = try AppUnderTest(PlayApp.self)
        let line = #line + 2
        withKnownIssue {
            app.expectStack("n[]")
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}

/// An app whose list lacks a screen.
private enum ListingApp: App {
    static var screens: [any Screen.Type] { [PlayScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { PlayCoordinator(note: "") }
}

/// An app that passes its first child to a global, like a test that keeps a coordinator to inspect it.
private enum KeepingApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { KeepingCoordinator() }
}

private final class KeepingCoordinator: Coordinator<Never> {
    nonisolated(unsafe) private static var kept: OtherCoordinator?  // because the leak is intended

    override func start() {
        push(PlayScreen()) { _, _ in }
        let child = OtherCoordinator()
        // Not the child of a replay.
        if unsafe Self.kept == nil { unsafe Self.kept = child }
        start(child)
    }

    static func forget() { unsafe kept = nil }
}
