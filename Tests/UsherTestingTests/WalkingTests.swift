import LocalhostClient
import Testing
import Usher
import UsherTesting

@Suite("AppUnderTest: expectations that are met", .blocking)
struct WalkingTests {
    @Test(arguments: Place.allCases)
    func `one test can use every kind of input and expectation, in process and over localhost`(place: Place)
        async throws
    {
        try await place.run(PlayApp.self, options: #"{"note":"first"}"#) { app in
            app.expectStack("n[play]")
            app.expectTree("Play")
            app.expectVisible(PlayScreen(note: "first"))
            app.send("push")
            app.expectStack("n[play, other]")
            app.expectTree("Play→[Other]")
            app.expectChanges(#"[{"push":[2]}]"#)
            app.popped(2)
            app.expectUnchanged { $0.popped(2) }
            app.expectTree("Play")
            app.send("note", ["text": "milk"])
            app.expectState(#"{"note":"milk"}"#)
            app.send(.note(text: "tea"), on: PlayScreen.self)
            app.expectState(#"{"note":"tea"}"#)
            app.open(PlayCoordinator.Flow.other)
            app.open("other")
            app.expectTree("Play→[Other, Other]")
            app.back()
            app.send("close")
            app.expectStack("n[play]")
            app.send("tabs")
            app.expectStack("tab(left){left[other], right[other]}")
            app.select("right")
            app.expectStack("tab(right){left[other], right[other]}")
            #expect(app.screens.map(\.name) == ["other"])
            #expect(app.visible?.coordinator == "play/other#6")
        }
    }

    @Test(arguments: Place.allCases)
    func `an expected refusal is compared by kind and words, and changes nothing`(place: Place) async throws {
        try await place.run(PlayApp.self) { app in
            app.expectRefusal(.refused, naming: "today") { $0.send("refuse") }
            app.expectRefusal(.failed) { $0.send("fail") }
            app.expectRefusal(.invalid, naming: "it takes") { $0.send("fly") }
            app.expectRefusal(.stale, naming: "never") { $0.send("push", from: 9) }
            app.expectRefusal(.invalid) { app in
                app.back()
                app.popped()
                app.dismissed(1)
                app.select("left")
            }
            app.send("push")
            #expect(app.visible?.id == 3, "the id that the refused input has spent is not given again")
            #expect(app.revision == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `expectEnded checks how an app ended`(place: Place) async throws {
        try await place.run(PlayApp.self) { app in
            app.send("end")
            app.expectEnded(#"{"reason":"finished","result":"paid"}"#)
            app.expectStack("n[]")
            app.expectTree("")
        }
    }

    @Test func `the clock advances only when the test advances it`() throws {
        let app = try AppUnderTest(PlayApp.self, time: Timestamp(milliseconds: 5))
        app.send("tick")
        app.expectState(#"{"note":"5"}"#)
        app.advance(by: .seconds(2))
        app.advance(by: .milliseconds(7))
        app.send("tick")
        app.expectState(#"{"note":"2012"}"#)
    }

    @Test func `the same seed gives the same random numbers`() throws {
        var notes: [String] = []
        for seed: UInt64 in [1, 1, 2] {
            let app = try AppUnderTest(PlayApp.self, options: .init(note: "", closed: false), seed: seed)
            app.send(.roll, on: PlayScreen.self)
            notes.append(app.visible?.state ?? "")
        }
        #expect(notes[0] == notes[1])
        #expect(notes[0] != notes[2])
    }

    @Test func `a session can begin with a link`() throws {
        let app = try AppUnderTest(PlayApp.self, link: [PlayCoordinator.Flow.other])
        app.expectStack("n[play, other]")
    }

    @Test func `creating an app under test throws an error if the app does not open`() {
        #expect(throws: Refusal.self) { try AppUnderTest(PlayApp.self, optionsJSON: #"{"closed":true}"#) }
        #expect(throws: (any Error).self) { try AppUnderTest(PlayApp.self, optionsJSON: #"{"closed":5}"#) }
    }

    @Test func `an expected warning causes no issue`() throws {
        let app = try AppUnderTest(PlayApp.self)
        app.expectWarning("`dismiss` did nothing") { $0.send("misuse") }
    }
}
