import HelloBye
import Testing
import UsherHTTP
import UsherJSON

/// Tests of the H rows of `scenarios.md`.
@Suite("hello-bye")
struct HelloByeRows {
    @Test("H-01: bye is the first screen", arguments: Surface.forSamples)
    func start(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.expect("n[bye]", "App→[Bye]")
        }
    }

    @Test("H-02: with the option greeting, hello is the first screen", arguments: Surface.forSamples)
    func startGreeting(on surface: Surface) async throws {
        try await walk(on: surface, options: #"{"greeting":true}"#) { walk in
            try await walk.expect("n[hello]", "App→[Hello]")
        }
    }

    @Test("H-03: bye replaces itself with hello and is freed", arguments: Surface.forSamples)
    func bye(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.send("bye")
            try await walk.expect("n[hello]", "App→[Hello]")
            #expect(try await walk.report()["coordinators", "finished"]?.integer == 1)
        }
    }

    @Test("H-05: hello leads to a second bye", arguments: Surface.forSamples)
    func hello(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.send("bye")
            try await walk.send("hello")
            try await walk.expect("n[bye]", "App→[Bye]")
            #expect(try await walk.screens() == [3])
            #expect(try await walk.report()["coordinators", "created"]?.integer == 4)
        }
    }

    @Test(
        "H-06: after 1,000 changes between hello and bye, two of 1,002 coordinators are left",
        arguments: Surface.forSamples)
    func alternations(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            for _ in 0..<500 {
                for event in ["bye", "hello"] {
                    let answer = try await walk.send(event)
                    #expect(answer["stack"]?.elements.map { _ in 1 } == [1])
                }
            }
            try await walk.expect("n[bye]", "App→[Bye]")
            let report = try await walk.report()
            #expect(report["coordinators", "live"]?.integer == 2)
            #expect(report["coordinators", "created"]?.integer == 1_002)
        }
    }

    @Test("H-07: the root cannot go back", arguments: Surface.forSamples)
    func back(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.expectUnchanged(422, naming: "root") { try await $0.back() }
        }
    }

    @Test("H-08: the event hello is refused on bye with a list of its events", arguments: Surface.forSamples)
    func wrongEvent(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.expectUnchanged(422, naming: "bye") { try await $0.send("hello", from: 1) }
        }
    }

    @Test(
        "H-09: an event of the first bye is refused as stale after that screen has left", arguments: Surface.forSamples)
    func staleScreen(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.send("bye", from: 1)
            let answer = try await walk.expectUnchanged(409) { try await $0.send("bye", from: 1) }
            #expect(answer["current", "revision"]?.integer == 2)
        }
    }

    @Test("H-10: a deleted session is unknown, and its memory is freed", arguments: Surface.forSamples)
    func delete(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            try await walk.send("bye")
            #expect(try await walk.delete().status == 204)
            let state = try await walk.state()
            #expect(state.status == 410)
            #expect(state.detail.contains("deleted"))
            #expect(try await walk.send("hello").status == 410)
            #expect(try await walk.delete().status == 410)
            // Several servers have different counts, and sessions of other tests.
            guard surface != .cluster else { return }
            let totals = try await stage.request(.get, "/admin/sessions")
            #expect(totals["live"]?.integer == 0)
            #expect(totals["coordinators"]?.text == #"{"live":0,"created":3,"finished":3,"leaked":0}"#)
        }
    }

    @Test("H-11: the event dismissed is refused if there is no modal", arguments: Surface.forSamples)
    func dismissed(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.send("bye")
            try await walk.expectUnchanged(409, naming: "never") { try await $0.dismissed(99) }
            try await walk.expectUnchanged(409, naming: "never") { try await $0.dismissed(0) }
            try await walk.expectUnchanged(200) { try await $0.dismissed(1) }
            try await walk.expectUnchanged(422, naming: "first screen of a modal") { try await $0.dismissed(2) }
        }
    }

    private func walk(
        on surface: Surface, options: String? = nil, _ body: (Walk) async throws -> Void
    ) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            try await body(try await stage.open("hello-bye", options: options))
        }
    }
}
