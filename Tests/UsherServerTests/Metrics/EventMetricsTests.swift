import Testing
import UsherHTTP
import UsherJSON

@Suite("Metrics of sessions")
struct EventMetricsTests {
    @Test(arguments: Surface.allCases)
    func `each event is counted once, with its outcome`(on surface: Surface) async throws {
        try await walk(on: surface) { stage, walk in
            try await stage.expect("accepted") { try await walk.send("step") }
            try await stage.expect("accepted") { try await walk.popped(2) }
            try await stage.expect("repeated") { try await walk.popped(2) }
            try await stage.expect("stale") { try await walk.send("step", from: 99) }
            try await stage.expect("invalid") { try await walk.send("dance") }
            try await stage.expect("refused") { try await walk.send("refuse") }
            try await stage.expect("failed") { try await walk.send("fail") }
            try await stage.expect("precondition") {
                try await walk.post(#"{"event":"step"}"#, headers: ["If-Match": "\"77\""])
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `requests that get a stored answer, and requests that reuse a key, are counted separately`(on surface: Surface)
        async throws
    {
        try await walk(on: surface) { stage, walk in
            let key: HeaderFields = ["Idempotency-Key": "k"]
            try await stage.expect("accepted") { try await walk.post(#"{"event":"step"}"#, headers: key) }
            try await stage.expect("replayed") { try await walk.post(#"{"event":"step"}"#, headers: key) }
            try await stage.expect("reused") { try await walk.post(#"{"event":"refuse"}"#, headers: key) }
            try await walk.post(#"{"event":"finish"}"#, headers: ["Idempotency-Key": "last"])
            let last: HeaderFields = ["Idempotency-Key": "last"]
            // The session, with its app, has left memory.
            try await stage.expect("replayed", of: "") { try await walk.post(#"{"event":"finish"}"#, headers: last) }
            try await stage.expect("ended", of: "") { try await walk.send("step") }
        }
    }

    @Test func `an event to an unknown session is counted without the name of an app`() async throws {
        try await Surface.inProcess.serve([TrialApp.self]) { stage in
            try await stage.expect("unknown", of: "") {
                _ = try await stage.request(
                    .post, "/sessions/\(String(repeating: "0", count: 32))/events", body: #"{"back":true}"#)
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `the metrics count new sessions, and count ended sessions by reason`(on surface: Surface) async throws {
        try await surface.serve([TrialApp.self]) { stage in
            let ended = { (reason: String) in #"usher_sessions_ended_total{app="trial",reason="\#(reason)"}"# }
            try await stage.expectGrowth([
                #"usher_sessions_opened_total{app="trial"}"#: 4, #"usher_sessions{state="awake"}"#: 1,
                ended("finished"): 1, ended("cancelled"): 1, ended("deleted"): 1, ended("expired"): 0,
                "usher_coordinators": 1, "usher_coordinators_created_total": 4, "usher_coordinators_finished_total": 3,
                "usher_coordinators_leaked_total": 0,
            ]) {
                _ = try await stage.open("trial")
                try await stage.open("trial").send("finish")
                try await stage.open("trial").send("cancel")
                _ = try await stage.open("trial").delete()
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `the metrics count a leak`(on surface: Surface) async throws {
        try await walk(on: surface) { stage, walk in
            try await stage.expectGrowth(["usher_coordinators_leaked_total": 1]) { try await walk.send("leak") }
        }
    }

    @Test(arguments: Surface.allCases)
    func `the metrics count effects by outcome, with their durations`(on surface: Surface) async throws {
        try await walk(on: surface) { stage, walk in
            try await stage.expectGrowth([
                #"usher_effects_total{app="trial",outcome="succeeded"}"#: 2,
                #"usher_effects_total{app="trial",outcome="failed"}"#: 1,
                #"usher_effects_total{app="trial",outcome="cancelled"}"#: 0,
                "usher_effect_duration_seconds_count": 3, "usher_effects_running": 0,
                // The result of an effect is not counted as an event.
                #"usher_events_total{app="trial",outcome="accepted"}"#: 3,
            ]) {
                for event in ["ask", "ask", "miss"] { try await walk.send(event) }
            }
        }
    }

    private func walk(on surface: Surface, _ body: (Stage, Walk) async throws -> Void) async throws {
        try await surface.serve([TrialApp.self]) { stage in try await body(stage, try await stage.open("trial")) }
    }
}

extension Stage {
    /// Expects that one event is counted with an outcome, and none with other outcomes.
    fileprivate func expect(
        _ outcome: String, of app: String = "trial", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await samples(sourceLocation: sourceLocation)
        try await body()
        let after = try await samples(sourceLocation: sourceLocation)
        let grown = after.names.filter { $0.hasPrefix("usher_events_total{") && after[$0] != before[$0] }
        let name = #"usher_events_total{app="\#(app)",outcome="\#(outcome)"}"#
        #expect(grown == [name], sourceLocation: sourceLocation)
        #expect((after[name] ?? 0) - (before[name] ?? 0) == 1, sourceLocation: sourceLocation)
    }
}
