import LocalhostClient
import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Starting a session over, over HTTP", .timeLimit(.minutes(2)))
struct StartOverEndpointTests {
    @Test(arguments: Surface.allCases)
    func `a session that starts over keeps its URL and revisions, and its journal has only the new history`(
        on surface: Surface
    ) async throws {
        try await surface.serve([LapApp.self]) { stage in
            let walk = try await stage.open("lap")
            for _ in 1...2 { #expect(try await walk.post(#"{"event":"step"}"#).status == 200) }
            let key: HeaderFields = ["Idempotency-Key": "over"]
            let path = "\(walk.path)/events"
            let over = try await stage.request(.post, path, headers: key, body: #"{"event":"over"}"#)
            #expect(over.status == 200 && over["revision"]?.integer == 4)
            #expect(over["stack"]?.text.contains(#""state":{"lap":2,"steps":0}"#) == true, "\(over.text)")
            #expect(over["changes"]?.text == #"[{"replace":{"out":[1],"in":[2]}}]"#)
            #expect(try await stage.request(.post, path, headers: key, body: #"{"event":"over"}"#).text == over.text)
            #expect(try await walk.post(#"{"event":"step"}"#)["revision"]?.integer == 5)
            let journal = try await stage.request(.get, "/admin\(walk.path)/journal")
            let entries = try #require(journal["entries"]).elements.map { $0 }
            #expect(entries.compactMap { $0[member: "revision"]?.integer } == [4, 5])
            #expect(entries.first?[member: "kind"]?.string == "creation")
            #expect(entries.first?[member: "input"]?[member: "options"]?.text == #"{"lap":2}"#)
            let page = try await stage.request(.get, "/admin\(walk.path)/journal", query: "after=0&limit=1")
            #expect(page["next"]?.string == "/admin\(walk.path)/journal?after=4&limit=1")
            let past = try await stage.request(.get, "/admin\(walk.path)/at/3")
            #expect(past.status == 422 && past["type"]?.string == "urn:usher:problem:no-revision")
            #expect(try await stage.request(.get, "/admin\(walk.path)/at/4").text == over.text)
            let fork = try await stage.request(.post, "/admin\(walk.path)/fork", body: #"{"revision":4}"#)
            #expect(fork.status == 201 && fork["revision"]?.integer == 4)
            let script = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=curl")
            #expect(script.status == 200 && script.text.contains(#""lap":2"#), "\(script.text)")
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json")
            let copy = try await stage.request(.post, "/admin/import", body: archive.text)
            #expect(copy.status == 201 && copy["revision"]?.integer == 5, "\(copy.text)")
        }
    }

    @Test func `an app cannot start over while an effect runs, and the refusal states the reason`() async throws {
        try await Surface.inProcess.serve([LapApp.self]) { stage in
            let walk = try await stage.open("lap")
            let refused = try await walk.post(#"{"event":"rushOver"}"#)
            #expect(refused.status == 422 && refused["type"]?.string == "urn:usher:problem:refused", "\(refused.text)")
            let detail =
                #"LapCoordinator: startOver(with:) must wait for the result of the effect "rush""#
            #expect(refused["detail"]?.string == detail)
            #expect(refused["current"]?[member: "revision"]?.integer == 1)
        }
    }

    @Test func `usher replay and usher check begin at the new creation of a session that has started over`()
        async throws
    {
        let journal = try RecordedJournal()
        var (id, state) = ("", "")
        try await journal.serve([LapApp.self]) { stage in
            let walk = try await stage.open("lap")
            for event in ["step", "over"] { _ = try await walk.send(event) }
            (id, state) = (walk.id, try await walk.send("step").text)
        }
        #expect(try await journal.run("replay", id, apps: [LapApp.self]) == (0, [state]))
        await #expect {
            try await journal.run("replay", id, "--to=2", apps: [LapApp.self])
        } throws: { error in
            "\(error)".contains(
                "the session has no revision 2; it has the revisions 3 to 4, because it has started over")
        }
        #expect(try await journal.run("check", apps: [LapApp.self]) == (0, ["1 live session: 1 unchanged"]))
    }

    @Test func `a stream that is resumed from a revision before the new start sends all screens`()
        async throws
    {
        try await withServer([LapApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            let opened = try client.request("POST", "/sessions", body: #"{"app":"lap"}"#)
            let path = try #require(opened["Location"])
            let accept = "text/event-stream, application/json; profile=changes"
            let watcher = try StreamClient(server.port, path, accept: accept)
            #expect(try watcher.next() == "state 1")
            for event in ["step", "over", "step"] {
                #expect(try client.request("POST", "\(path)/events", body: #"{"event":"\#(event)"}"#).status == 200)
            }
            for revision in 2...4 { #expect(try watcher.next() == "state \(revision)") }
            let late = try StreamClient(server.port, path, lastEventID: "1", accept: accept)
            #expect(try late.next() == "gap")
            #expect(try late.next() == "state 4")
            #expect(late.data.contains(#""state":{"lap":2,"steps":1}"#), "\(late.data)")
        }
    }
}

/// An app whose root starts over after each lap.
private enum LapApp: App {
    struct Options: Codable, Sendable {
        var lap = 1
    }

    static var options: Options { Options() }
    static var screens: [any Screen.Type] { [LapScreen.self] }

    static func root(_ options: Options) -> sending AnyCoordinator { LapCoordinator(options) }
}

private struct LapScreen: Screen {
    enum Event: String, Codable, CaseIterable { case step, over, rushOver }

    var lap: Int
    var steps = 0
}

private struct RushEffect: Effect {
    static var name: String { "rush" }

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { NoOutput() }
}

private final class LapCoordinator: Coordinator<Never> {
    private let options: LapApp.Options
    private var screen: Handle<LapScreen>?

    init(_ options: LapApp.Options) {
        self.options = options
    }

    override func start() {
        screen = push(LapScreen(lap: options.lap)) { me, event in
            switch event {
            case .step: me.screen?.update { $0.steps += 1 }
            case .over: try me.startOver(with: LapApp.Options(lap: me.options.lap + 1))
            case .rushOver:
                me.perform(RushEffect()) { _, _ in }
                try me.startOver(with: me.options)
            }
        }
    }
}
