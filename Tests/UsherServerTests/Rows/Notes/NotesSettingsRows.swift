import Testing
import UsherHTTP
import UsherJSON

/// Tests of the N rows of `scenarios.md` about the sheet.
@Suite("notes: settings")
struct NotesSettingsRows {
    @Test("N-06: the settings are a sheet with its own navigation", arguments: Surface.forSamples)
    func showSettings(on surface: Surface) async throws {
        try await walkNotes(on: surface, #""showSettings""#) { walk in
            try await walk.expect("n[main] ⊕ sheet[settings]", "Main→[Settings]")
            #expect(walk.answer["changes"]?.text == #"[{"present":[2]}]"#)
            #expect(walk.answer["back"]?.boolean == true)
        }
    }

    @Test("N-07: pulling the sheet down ends the settings", arguments: Surface.forSamples)
    func dismissed(on surface: Surface) async throws {
        try await walkNotes(on: surface, #""showSettings""#) { walk in
            #expect(try await walk.dismissed(2).status == 200)
            try await expectMainAlone(walk)
        }
    }

    @Test("N-07: back on the sheet's first screen dismisses it", arguments: Surface.forSamples)
    func back(on surface: Surface) async throws {
        try await walkNotes(on: surface, #""showSettings""#) { walk in
            #expect(try await walk.back().status == 200)
            try await expectMainAlone(walk)
        }
    }

    @Test("N-08: the event close ends the settings", arguments: Surface.forSamples)
    func close(on surface: Surface) async throws {
        try await walkNotes(on: surface, #""showSettings""#) { walk in
            #expect(try await walk.send("close").status == 200)
            try await expectMainAlone(walk)
        }
    }

    private func expectMainAlone(_ walk: Walk) async throws {
        try await walk.expect("n[main]", "Main")
        #expect(walk.answer["changes"]?.text == #"[{"dismiss":[2]}]"#)
        #expect(try await walk.report()["coordinators", "finished"]?.integer == 1)
    }
}
