import Testing
import UsherHTTP
import UsherJSON

/// Tests of the Z rows of `scenarios.md` that need other coordinators than those of `sooda`.
@Suite("sooda: the ends of flows")
struct FlowEndsRows {
    @Test("Z-35: a session without screens warns that it is empty, and continues", arguments: Surface.allCases)
    func nowhere(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            #expect(try await walk.send("nowhere").status == 200)
            let state = try await walk.state()
            #expect(state["stack"]?.text == "[]")
            #expect(state["warnings"]?.text.contains("empty") == true)
            #expect(try await walk.report()["coordinators"]?.text == #"{"live":1,"created":3,"finished":2,"leaked":0}"#)
            try await walk.expectUnchanged(409, naming: "no screen") { try await $0.send("nowhere") }
            try await walk.open(#"["again"]"#)
            try await walk.expect("n[wayOut]", "FlowEnds→[Middle→[WayOut]]")
        }
    }

    @Test(
        "Z-36: a flow that no coordinator handles is named in the failure, and nothing changes",
        arguments: Surface.allCases)
    func lost(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            let answer = try await walk.expectUnchanged(500, naming: "WayOutCoordinator.Unknown.place") {
                try await $0.send("lost")
            }
            // Check only this member, because a session's id may contain the number.
            #expect(answer["detail"]?.string?.contains("1234") == false)
            try await walk.expect("n[wayOut]", "FlowEnds→[Middle→[WayOut]]")
            #expect(try await walk.send("here").status == 200)
            try await walk.expect("n[wayOut]", "FlowEnds→[Middle→[WayOut]]")
        }
    }

    @Test("Z-40: a coordinator can be released while its own finish runs", arguments: Surface.allCases)
    func released(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            for _ in 0..<10 { #expect(try await walk.send("here").status == 200) }
            try await walk.expect("n[wayOut]", "FlowEnds→[Middle→[WayOut]]")
            #expect(
                try await walk.report()["coordinators"]?.text == #"{"live":3,"created":23,"finished":20,"leaked":0}"#)
        }
    }

    private func walk(on surface: Surface, _ body: (Walk) async throws -> Void) async throws {
        try await surface.serve([FlowEndsApp.self]) { stage in
            try await body(try await stage.open("flow-ends"))
        }
    }
}
