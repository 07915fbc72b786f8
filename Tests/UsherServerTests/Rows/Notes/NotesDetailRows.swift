import Testing
import UsherHTTP
import UsherJSON

/// Tests of the N rows of `scenarios.md` about the shared navigation.
@Suite("notes: details")
struct NotesDetailRows {
    @Test("N-01: the list is the first screen", arguments: Surface.forSamples)
    func start(on surface: Surface) async throws {
        try await walkNotes(on: surface) { walk in
            try await walk.expect("n[main]", "Main")
            let screen = walk.answer["stack"]?.elements.first { _ in true }
            #expect(screen?[member: "coordinator"]?.string == "main")
            #expect(screen?[member: "events"]?.text == #"{"showDetail":{"id":2},"showSettings":{}}"#)
        }
    }

    @Test("N-02: showDetail pushes the note", arguments: Surface.forSamples)
    func showDetail(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1) { walk in
            try await walk.expect("n[main, detail]", "Main→[Detail]")
            #expect(walk.answer["changes"]?.text == #"[{"push":[2]}]"#)
            #expect(try await states(walk).last == #"{"note":{"id":1,"title":"Coordinators"}}"#)
        }
    }

    @Test("N-02: the view model refuses an unknown note", arguments: Surface.forSamples)
    func unknownDetail(on surface: Surface) async throws {
        try await walkNotes(on: surface) { walk in
            try await walk.expectUnchanged(422, naming: "no note 9") {
                try await $0.post(#"{"event":{"showDetail":{"id":9}}}"#)
            }
        }
    }

    @Test("N-04: a reported pop frees the screen, the view model and the coordinator", arguments: Surface.forSamples)
    func popped(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1) { walk in
            #expect(try await walk.popped(2).status == 200)
            try await walk.expect("n[main]", "Main")
            // The verdict lists everything that is still in memory, including view models. The counts are only of
            // coordinators.
            let counts = #"{"live":1,"created":2,"finished":1,"leaked":0}"#
            #expect(try await walk.report()["coordinators"]?.text == counts)
            #expect(walk.answer["changes"]?.text == #"[{"pop":[2]},{"update":[1]}]"#)
            #expect(try await states(walk).first?.hasSuffix(#""lastRead":1}"#) == true)
        }
    }

    @Test("N-04: opening and popping a note a hundred times leaves nothing in memory", arguments: Surface.forSamples)
    func poppedOften(on surface: Surface) async throws {
        try await walkNotes(on: surface) { walk in
            for round in 0..<100 {
                #expect(try await walk.post(#"{"event":\#(showDetail1)}"#).status == 200)
                #expect(try await walk.popped(2 + round).status == 200)
            }
            try await walk.expect("n[main]", "Main")
            #expect(try await walk.report()["coordinators", "created"]?.integer == 101)
        }
    }

    @Test("N-05: a cancelled swipe sends nothing and changes nothing", arguments: Surface.forSamples)
    func cancelledSwipe(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1) { walk in
            let before = (try await walk.state().text, try await walk.report().text)
            // In the meantime, the client only reads.
            #expect(try await walk.state().text == before.0)
            #expect(try await walk.report().text == before.1)
            try await walk.expect("n[main, detail]", "Main→[Detail]")
            #expect(try await walk.screens() == [1, 2])
        }
    }

    @Test("N-09: repeating the event popped changes nothing", arguments: Surface.forSamples)
    func poppedAgain(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1) { walk in
            try await walk.popped(2)
            try await walk.expectUnchanged(200) { try await $0.popped(2) }
            try await walk.expect("n[main]", "Main")
        }
    }

    @Test(
        "N-11: a second detail belongs to the first detail's coordinator and closes only itself",
        arguments: Surface.forSamples)
    func secondDetail(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1) { walk in
            let first = try await coordinators(walk)
            try await walk.post(#"{"screen":2,"event":\#(showDetail2)}"#)
            try await walk.expect("n[main, detail, detail]", "Main→[Detail, Detail]")
            #expect(try await coordinators(walk) == first + ["detail#3"])
            let states = try await states(walk)
            #expect(states[1].contains(#""id":1"#) && states[2].contains(#""id":2"#))

            try await walk.send("close", from: 3)
            try await walk.expect("n[main, detail]", "Main→[Detail]")
            #expect(try await walk.screens() == [1, 2])
            #expect(try await coordinators(walk) == first)
            #expect(try await self.states(walk)[1] == states[1])
        }
    }

    @Test("N-12: the event home pops to the root and frees the whole subtree", arguments: Surface.forSamples)
    func home(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1, #""showSub""#) { walk in
            try await walk.expect("n[main, detail, sub]", "Main→[Detail→[Sub]]")
            try await walk.send("home")
            try await walk.expect("n[main]", "Main")
            let counts = #"{"live":1,"created":3,"finished":2,"leaked":0}"#
            #expect(try await walk.report()["coordinators"]?.text == counts)
            #expect(walk.answer["changes"]?.text == #"[{"pop":[3,2]},{"update":[1]}]"#)
        }
    }

    @Test("N-12: the event close of a detail's subdetail ends only the subdetail", arguments: Surface.forSamples)
    func closeSub(on surface: Surface) async throws {
        try await walkNotes(on: surface, showDetail1, #""showSub""#) { walk in
            try await walk.send("close")
            try await walk.expect("n[main, detail]", "Main→[Detail]")
        }
    }

    private func states(_ walk: Walk) async throws -> [String] {
        try await walk.state()["stack"]?.elements.compactMap { $0[member: "state"]?.text } ?? []
    }

    /// Returns the names of the root's children, which never change for a coordinator.
    private func coordinators(_ walk: Walk) async throws -> [String] {
        try await walk.report()["root", "children"]?.elements.compactMap { $0[member: "name"]?.string } ?? []
    }
}
