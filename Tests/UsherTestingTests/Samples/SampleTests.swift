import HelloBye
import LocalhostClient
import Notes
import StartLoginMain
import Testing
import Usher
import UsherTesting

/// Tests of rows of `scenarios.md` in an author's style: one body, in process and over a socket.
@Suite("Samples under test", .blocking)
struct SampleTests {
    @Test("H-03, H-05: bye and hello alternate", arguments: Place.allCases)
    func helloBye(on place: Place) async throws {
        try await place.run(HelloByeApp.self) { app in
            app.expectStack("n[bye]")
            app.send("bye")
            app.expectStack("n[hello]")
            app.expectTree("App→[Hello]")
            app.send("hello")
            app.expectStack("n[bye]")
            #expect(app.visible?.id == 3)
        }
    }

    @Test("S-03, S-09: the login pops itself and pushes main, and back works twice", arguments: Place.allCases)
    func startLoginMain(on place: Place) async throws {
        try await place.run(StartLoginMainApp.self) { app in
            app.send("startApp")
            app.send("login")
            app.expectStack("n[start, main]")
            app.expectTree("App→[Start→[Main]]")
            app.expectChanges(#"[{"pop":[2]},{"push":[3]}]"#)
            app.send("profileEdit")
            app.back()
            app.expectTree("App→[Start→[Main]]")
            app.back()
            app.expectStack("n[start]")
            app.expectRefusal(.invalid, naming: "root") { $0.back() }
        }
    }

    @Test func `start-login-main: a client that cannot draw the login is asked to update, and can go back`() throws {
        let old = Client(name: "ios", version: "1.0", screens: ["start": 1, "update": 1])
        let app = try AppUnderTest(StartLoginMainApp.self, client: old)
        app.send("startApp")
        app.expectStack("n[start, login]")
        #expect(app.visible?.name == "update")
        app.expectState(#"{"missing":"login"}"#)
        app.expectRefusal(.invalid, naming: "has no events") { $0.send("login") }
        app.back()
        app.expectStack("n[start]")
        let older = try AppUnderTest(StartLoginMainApp.self, client: Client(screens: ["start": 1]))
        older.expectRefusal(.undrawable, naming: "\"login\" of version 1") { $0.send("startApp") }
    }

    @Test("N-06, N-07, N-11, N-12: settings, two details, and home are shown", arguments: Place.allCases)
    func notes(on place: Place) async throws {
        try await place.run(NotesApp.self) { app in
            app.send("showSettings")
            app.expectStack("n[main] ⊕ sheet[settings]")
            app.dismissed()
            app.send("showDetail", ["id": 1])
            app.send("showDetail", ["id": 2])
            app.expectTree("Main→[Detail, Detail]")
            app.expectRefusal(.stale, naming: "covered") { $0.send("close", from: 3) }
            app.send("close")
            app.expectStack("n[main, detail]")
            app.expectState(#"{"note":{"id":1,"title":"Coordinators"}}"#)
            app.send("showSub")
            app.send("home")
            app.expectStack("n[main]")
            app.expectTree("Main")
        }
    }
}
