import HelloBye
import LocalhostClient
import Synchronization
import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Requests that wait", .serialized, .timeLimit(.minutes(5)))
struct WaitingTests {
    @Test(arguments: Surface.allCases)
    func `the answer to an event waits for the event's effects, unless the client prefers not to wait`(surface: Surface)
        async throws
    {
        try await surface.serve([PatientApp.self]) { stage in
            let walk = try await stage.open("patient")
            let waited = try await walk.send("ask")
            #expect(waited.status == 200)
            #expect(waited["pending"]?.text == "[]")
            #expect(waited["stack"]?.text.contains("\"answer\":\"42\"") == true, "\(waited.text)")
            #expect(waited["changes"]?.text.contains("update") == true)
            let body = #"{"event":"ask"}"#
            let now = try await walk.post(body, headers: ["Prefer": "respond-async"])
            #expect(now.headers["Preference-Applied"] == "respond-async")
            let limited = try await walk.post(body, headers: ["Prefer": "wait=3"])
            #expect(limited.headers["Preference-Applied"] == "wait=3")
        }
    }

    @Test func `a long poll returns the next revision, or 304 if no revision arrives in time`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            let none = try await walk.state(headers: ["If-None-Match": "\"1\"", "Prefer": "wait=0"])
            #expect(none.status == 304)
            #expect(none.headers["Preference-Applied"] == "wait=0")
            let known = try await walk.state(headers: ["If-None-Match": "\"9\"", "Prefer": "wait=30"])
            #expect(known.status == 200)
            try await walk.send("bye")
            let poll = try await walk.state(headers: ["If-None-Match": "\"1\"", "Prefer": "wait=30"])
            #expect(poll.status == 200)
            #expect(poll["revision"]?.integer == 2)
        }
    }

    @Test(arguments: [
        "", "wait", "wait=", "wait=x", "wait=-1", "wait=+2", "w a i t=2", "respond-async=1", "=", ",,", "tea",
    ])
    func `an invalid preference in Prefer is ignored`(prefer: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            let answer = try await walk.post(#"{"event":"bye"}"#, headers: ["Prefer": prefer])
            #expect(answer.status == 200)
            #expect(answer.headers["Preference-Applied"] == nil)
        }
    }

    @Test(arguments: [
        ("foo, wait=86400", 60), ("wait=99999999999999999999", 60), ("wait = 2 ; foo=1", 2), ("wait=0", 0),
        ("wait=3, wait=4", 3),
    ])
    func `a request waits for the time of its first preference wait, but for a minute at most`(
        prefer: String, seconds: Int
    ) {
        #expect(Preference(Request(.get, path: "/", headers: ["Prefer": prefer])).wait == .seconds(seconds))
    }

    @Test func `the answer to a GET names only the preference wait in Preference-Applied`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            for (prefer, applied) in [("respond-async, wait=0", "wait=0"), ("respond-async", "respond-async")] {
                let answer = try await walk.state(headers: ["If-None-Match": "\"1\"", "Prefer": prefer])
                #expect(answer.status == 304)
                #expect(answer.headers["Preference-Applied"] == (prefer.contains("wait") ? applied : nil))
            }
        }
    }

    @Test func `the server stops waiting for clients that have disconnected`() async throws {
        try await withServer([HelloByeApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            let path = try #require(client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)["Location"])
            for _ in 0..<3 {
                let polls = try (0..<100).map { _ in
                    let poll = try RawConnection(port: server.port, timeout: 20)
                    try poll.send(
                        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: \"1\"\r\nPrefer: wait=60\r\n\r\n")
                    return poll
                }
                _ = polls
            }
            var answer: RawResponse
            repeat {
                answer = try client.request(
                    "GET", path, headers: [("If-None-Match", "\"1\""), ("Prefer", "wait=0")])
            } while server.watcherCount > 1 || answer.status == 503
            #expect(answer.status == 304)
        }
    }

    @Test func `a server that stops answers waiting requests with the current state`() async throws {
        try await withServer([PatientApp.self, HelloByeApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            let path = try #require(client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)["Location"])
            let poll = try RawConnection(port: server.port, timeout: 20)
            try poll.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: \"1\"\r\nPrefer: wait=60\r\n\r\n")
            while server.watcherCount == 0 { await Task.yield() }
            let stop = Task { await server.stop() }
            let answer = try poll.readResponse()
            #expect(answer.status == 304)
            await stop.value
        }
    }

    @Test(arguments: Surface.allCases)
    func `a backend's message is delivered to the root coordinator`(surface: Surface) async throws {
        try await surface.serve([PatientApp.self, HelloByeApp.self]) { stage in
            let walk = try await stage.open("patient")
            let path = "/sessions/\(walk.id)/messages"
            let told = try await stage.request(.post, path, body: #"{"message":{"text":"shipped"}}"#)
            #expect(told.status == 200)
            #expect(told["stack"]?.text.contains("shipped") == true, "\(told.text)")
            #expect(told["revision"]?.integer == 2)
            for (body, status) in [
                ("{}", 400), (#"{"message":{"text":"a"},"to":1}"#, 400), ("[]", 400), (#"{"message":5}"#, 422),
                (#"{"message":{"text":"a","more":1}}"#, 422), (#"{"message":null}"#, 422),
            ] {
                #expect(try await stage.request(.post, path, body: body).status == status, "\(body)")
            }
            let deaf = try await stage.open("hello-bye")
            let refused = try await stage.request(
                .post, "/sessions/\(deaf.id)/messages", body: #"{"message":{"text":"a"}}"#)
            #expect(refused.status == 422)
            #expect(refused.detail.contains("accepts no messages"))
        }
    }
}

/// An app whose screen starts an effect that takes some time.
enum PatientApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { PatientCoordinator() }
}

struct PatientScreen: Screen {
    enum Event: String, Codable, CaseIterable { case ask }
    var answer = ""
}

struct Question: Effect {
    func run(_ context: EffectContext<NoServices>) async throws -> Int {
        for _ in 0..<100 { await Task.yield() }
        return 42
    }
}

final class PatientCoordinator: Coordinator<Never>, MessageReceiver {
    struct Message: Codable, Sendable {
        var text: String
    }

    private var screen = Handle<PatientScreen>()

    override func start() {
        screen = push(PatientScreen()) { me, _ in
            me.perform(Question()) { me, result in
                let answer = (try? result.get()).map(String.init) ?? "nothing"
                me.screen.update { $0.answer = answer }
            }
        }
    }

    func receive(_ message: Message) {
        screen.update { $0.answer = message.text }
    }
}
