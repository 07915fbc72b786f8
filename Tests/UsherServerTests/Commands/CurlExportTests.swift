import Foundation
import HelloBye
import LocalhostClient
import Notes
import Programs
import Sooda
import StartLoginMain
import Testing
import Tudy
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

/// Tests that bash can repeat sessions on another server.
@Suite("The command usher export --as curl", .blocking, .timeLimit(.minutes(5)))
struct CurlExportTests {
    static let samples: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    @Test(arguments: ["hello-bye", "notes", "sooda", "start-login-main", "tudy"])
    func `a script that was exported from a sample's session leads to the same screens`(app: String) async throws {
        let journal = try RecordedJournal()
        var recorded: [String] = []
        var id = ""
        try await journal.serve(Self.samples) { stage in
            let walk = try await stage.open(app)
            id = walk.id
            var wanderer = Wanderer(seed: 7)
            for _ in 0..<40 { try await walk.post(wanderer.input(for: try await walk.state())) }
            recorded = try await walk.shown()
        }
        try #require(recorded.count > 1)
        let again = try await walkAgain(id, in: journal, apps: Self.samples)
        #expect(again.shown == recorded)
    }

    @Test func `the script assigns no id to a screen that was shown only by a refused input`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([HastyApp.self]) { stage in
            let walk = try await stage.open("hasty")
            id = walk.id
            for input in [
                #"{"event":"refused"}"#,
                #"{"event":{"show":{"title":"it's \"quoted\" $(exit 1) `exit 1` \\\n ünïcode"}}}"#,
                #"{"event":"refused"}"#, #"{ "screen": 3, "event": {"show": {"title": "b"} } }"#, #"{"popped":5}"#,
                #"{"event":"refused"}"#, #"{"event":"sheet"}"#, #"{"dismissed":7}"#, #"{"event":"sheet"}"#,
                #"{"screen":8,"back":true}"#, #"{"event":"sheet"}"#,
            ] { try await walk.post(input) }
            #expect(try await walk.screens() == [1, 3, 9])
        }
        let again = try await walkAgain(id, in: journal, apps: [HastyApp.self])
        #expect(again.script.contains(#"'{"popped":3}'"#))
        #expect(again.script.contains(#"'{"dismissed":4}'"#))
        #expect(again.script.contains(#"'{"back":true}'"#))
        #expect(again.script.contains(#"'{"event":{"show":{"title":"b"}}}'"#))
        #expect(again.state["stack"]?.elements.compactMap { $0[member: "id"]?.integer } == [1, 2, 6])
        #expect(
            again.state["stack"]?.elements.map { $0 }[1][member: "state"]?[member: "title"]?.string
                == "it's \"quoted\" $(exit 1) `exit 1` \\\n ünïcode")
    }

    @Test func `the script opens the session with its options and its link`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        var recorded: [String] = []
        try await journal.serve([HastyApp.self]) { stage in
            let body = #"{"app":"hasty","options":{"title":"it's"},"open":[{"place":{"title":"O'Hara"}}]}"#
            let walk = try Walk(on: stage, opened: try await stage.request(.post, "/sessions", body: body))
            id = walk.id
            recorded = try await walk.shown()
        }
        let again = try await walkAgain(id, in: journal, apps: [HastyApp.self])
        #expect(again.shown == recorded)
        #expect(recorded.contains { $0.contains("O'Hara") })
    }

    @Test func `the script skips the screen ids that were used while a waiting link was tried`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        var ids: [Int] = []
        try await journal.serve([HastyApp.self]) { stage in
            let walk = try await stage.open("hasty")
            id = walk.id
            for input in [
                #"{"open":[{"place":{"title":"x"}},"later"]}"#, #"{"event":{"show":{"title":"a"}}}"#,
                #"{"event":"sheet"}"#,
            ] { try await walk.post(input) }
            try await walk.dismissed(try #require(try await walk.screens().last))
            try await walk.post(#"{"event":{"show":{"title":"b"}}}"#)
            #expect(walk.answer["pending"]?.text == #"["open"]"#)
            ids = try await walk.screens()
            #expect(ids[1] > 2)
        }
        let again = try await walkAgain(id, in: journal, apps: [HastyApp.self])
        #expect(again.state["stack"]?.elements.compactMap { $0[member: "id"]?.integer } == ids)
    }

    @Test func `in a waiting link, the script masks only the secrets`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([HastyApp.self]) { stage in
            let link = #"["later",{"place":{"title":"first","secret":"hush 1"}}]"#
            let body = #"{"app":"hasty","open":\#(link)}"#
            let walk = try Walk(on: stage, opened: try await stage.request(.post, "/sessions", body: body))
            #expect(walk.answer["pending"]?.text == #"["open"]"#)
            id = walk.id
            try await walk.post(
                #"{"open":["later",{"place":{"title":"second","secret":"hush 2"}},{"none":{"x":"hush 3"}}]}"#)
            try await walk.post(#"{"open":["later",{"place":{"title":"third"}}]}"#)
            try await walk.post(#"{"event":{"tell":{"secret":"hush 4"}}}"#)
        }
        let again = try await walkAgain(id, in: journal, apps: [HastyApp.self])
        #expect(!again.script.contains("hush"))
        #expect(again.script.contains(#"["later",{"place":{"title":"first","secret":"…"}}]"#))
        #expect(again.script.contains(#"["later",{"place":{"title":"second","secret":"…"}},{"none":"…"}]"#))
        #expect(again.script.contains(#"["later",{"place":{"title":"third"}}]"#))
        #expect(again.script.components(separatedBy: "# A secret is masked").count == 4)
    }

    @Test func `the script omits inputs that a rollback removed`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([Builds.old]) { stage in
            let walk = try await stage.open(Builds.name)
            id = walk.id
            for event in ["look", "buy"] { try await walk.send(event) }
        }
        var recorded: [String] = []
        try await journal.serve([Builds.changed]) { stage in
            // The session continues after "look", with other ids than before.
            let walk = try Walk(on: stage, opened: try await stage.request(.get, "/sessions/\(id)"))
            try await walk.send("buy")
            let shown = try await walk.screens()
            #expect(shown == [1, 2, 4])
            try await walk.popped(4)
            recorded = try await walk.shown()
        }
        let again = try await walkAgain(id, in: journal, apps: [Builds.changed])
        #expect(again.shown == recorded)
        #expect(again.script.contains(#"'{"popped":3}'"#))
        #expect(again.script.components(separatedBy: "\nsend ").count == 5)
    }

    @Test func `a script stops at the first input that is not accepted`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([Builds.old]) { stage in
            let walk = try await stage.open(Builds.name)
            id = walk.id
            for event in ["buy", "pay"] { try await walk.send(event) }
        }
        let script = try await journal.run("export", id, apps: [Builds.old]).lines.joined(separator: "\n")
        let server = try Server(apps: [Builds.changed], options: .test, log: Log(.text, sink: { _ in }))
        let end = try Script(script, server: server.address).end
        await server.stop()
        #expect(end.status == 1)
        #expect(end.output.isEmpty)
        #expect(end.error.hasPrefix("status 422 to /sessions/"))
        #expect(end.error.contains("pay"))
        let nobody = try Script(script, server: server.address).end
        #expect(nobody.status == 1)
        #expect(nobody.error.contains("no answer to /sessions"))
    }

    /// Exports a session, runs the script on a new server, and reads the session that the script has opened.
    private func walkAgain(
        _ id: String, in journal: RecordedJournal, apps: [any App.Type]
    ) async throws -> (script: String, state: Answer, shown: [String]) {
        let (status, lines) = try await journal.run("export", id, apps: apps)
        #expect(status == 0)
        let script = lines.joined(separator: "\n")
        // Anyone who knows the id can use the session.
        #expect(!script.contains(id))
        let server = try Server(apps: apps, options: .test, log: Log(.text, sink: { _ in }))
        let end = try Script(script, server: server.address).end
        await server.stop()
        try #require(end.status == 0, "\(end.error)\n\(script)")
        let state = Answer(Response(body: Array(end.output.utf8)))
        return (script, state, state.shown)
    }
}

extension Walk {
    /// Returns what clients see on display, without ids.
    fileprivate func shown() async throws -> [String] { try await state().shown }
}

extension Answer {
    fileprivate var shown: [String] {
        let screens = self["stack"]?.elements.map { entry in
            ["screen", "shown", "state", "events"].map { entry[member: $0]?.text ?? "" }.joined(separator: " ")
        }
        return (screens ?? []) + ["tabs", "back", "pending"].map { self[$0]?.text ?? "" }
    }
}
