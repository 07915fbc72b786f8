import LocalhostClient
import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Apps that refuse, fail or leak")
struct FailingAppTests {
    @Test(arguments: Surface.allCases)
    func `an input that the app refuses gets 422 with the app's message, and changes nothing`(on surface: Surface)
        async throws
    {
        try await walk(on: surface) { walk, _ in
            let answer = try await walk.expectUnchanged(422, naming: "not before noon") { try await $0.send("refuse") }
            #expect(answer["type"]?.string == "urn:usher:problem:refused")
            #expect(answer["code"] == nil)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the app's code for a refusal is a member of the problem`(on surface: Surface) async throws {
        try await walk(on: surface) { walk, _ in
            let answer = try await walk.expectUnchanged(422, naming: "the card was declined") {
                try await $0.send("decline")
            }
            #expect(answer["code"]?.string == "card-declined")
            #expect(answer["type"]?.string == "urn:usher:problem:refused")
            #expect(answer["current", "revision"]?.integer == 1)
        }
    }

    @Test(arguments: Surface.allCases)
    func `an input whose handler fails gets 500, and only the log has the cause`(on surface: Surface) async throws {
        try await walk(on: surface) { walk, lines in
            let answer = try await walk.expectUnchanged(500, naming: "the session is unchanged") {
                try await $0.send("fail")
            }
            #expect(!answer.text.contains("brittle"))
            let line = lines.all.first { $0.contains("handler failed") } ?? ""
            #expect(line.contains("brittle"))
            #expect(!line.contains(walk.id))
            #expect(line.contains(walk.id.prefix(8)))
        }
    }

    @Test(arguments: Surface.allCases)
    func `the response to an input reports the leak that the input caused, and the log has the leak once`(
        on surface: Surface
    )
        async throws
    {
        try await walk(on: surface) { walk, lines in
            try await walk.send("leak")
            #expect(
                walk.answer["leaks"]?.text == """
                    [{"type":"KeptCoordinator","coordinator":"fragile/kept","revision":2,"input":"event leak"}]
                    """)
            #expect(try await walk.report()["coordinators", "leaked"]?.integer == 1)
            #expect(lines.all.count { $0.contains("coordinator leaked") } == 1)
        }
    }

    @Test(arguments: Surface.allCases)
    func `when the root coordinator finishes, its session ends with the result`(on surface: Surface) async throws {
        try await walk(on: surface) { walk, _ in
            let answer = try await walk.send("finish")
            #expect(answer.status == 200)
            #expect(answer["ended"]?.text == #"{"reason":"finished","result":"all done"}"#)
            #expect(answer["stack"]?.text == "[]")
            let after = try await walk.state()
            #expect(after.status == 410)
            #expect(after.detail.contains("finished"))
            #expect(after.detail.contains("POST /sessions"))
            #expect(after["reason"]?.string == "finished")
            #expect(after["app"]?.string == "fragile")
            #expect(after["endedAt"]?.string.map { after.detail.contains($0) } == true)
            #expect(after["result"]?.string == "all done")
            #expect(after["options"] == nil)
            #expect(after["start"]?.text == #"{"method":"POST","path":"/sessions","body":{"app":"fragile"}}"#)
        }
    }

    @Test(arguments: Surface.allCases, ["finish", "delete"])
    func `a request to an ended session gets the session's options and how to start another session`(
        on surface: Surface, _ end: String
    ) async throws {
        try await surface.serve([FragileApp.self]) { stage in
            let walk = try await stage.open("fragile", options: "{ \"broken\":\n false }")
            if end == "delete" { _ = try await walk.delete() } else { try await walk.send(end) }
            let after = try await walk.state()
            #expect(after["options"]?.text == #"{"broken":false}"#)
            #expect(after["start", "body"]?.text == #"{"app":"fragile","options":{"broken":false}}"#)
            #expect(after["result"]?.string == (end == "finish" ? "all done" : nil))
        }
    }

    @Test func `if the session's result is long, only the response to the last input contains it`() async throws {
        try await Surface.inProcess.serve([FragileApp.self]) { stage in
            let walk = try await stage.open("fragile")
            #expect(try await walk.send("boast")["ended", "result"]?.string?.count == 20_000)
            let after = try await walk.state()
            #expect(after["reason"]?.string == "finished")
            #expect(after["result"] == nil)
        }
    }

    @Test func `after the last state, a stream ends with the members of the 410 answer`() async throws {
        try await withServer([FragileApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            // A line feed would end the event's data.
            let body = "{\"app\":\"fragile\",\"options\":{\n\n\"broken\":false}}"
            let path = try #require(try client.request("POST", "/sessions", body: body)["Location"])
            let watcher = try StreamClient(server.port, path)
            #expect(try watcher.next() == "state 1")
            #expect(try client.request("POST", "\(path)/events", body: #"{"event":"finish"}"#).status == 200)
            #expect(try watcher.next() == "state 2")
            #expect(try watcher.next() == "end")
            let end = try JSONDocument(parsing: Array(watcher.data.utf8)).root
            #expect(end[member: "reason"]?.string == "finished")
            #expect(end[member: "result"]?.string == "all done")
            #expect(end[member: "options"]?.text == #"{"broken":false}"#)
            #expect(try watcher.next() == nil)
        }
    }

    @Test func `a waiting long poll gets the result when the session ends`() async throws {
        try await withServer([FragileApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            let path = try #require(
                try client.request("POST", "/sessions", body: #"{"app":"fragile"}"#)["Location"])
            let poll = try RawConnection(port: server.port, timeout: 20)
            try poll.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: \"1\"\r\nPrefer: wait=60\r\n\r\n")
            while server.watcherCount == 0 { try Task.checkCancellation() }
            #expect(try client.request("POST", "\(path)/events", body: #"{"event":"finish"}"#).status == 200)
            let answer = try poll.readResponse()
            #expect(answer.status == 410)
            #expect(try JSONDocument(parsing: answer.body).root[member: "result"]?.string == "all done")
        }
    }

    @Test func `a request to open a session gets 500 if the app fails to start, and the cause is logged`() async throws
    {
        try await Surface.inProcess.serve([FragileApp.self]) { stage in
            let answer = try await stage.request(
                .post, "/sessions", body: #"{"app":"fragile","options":{"broken":true}}"#)
            #expect(answer.status == 500)
            #expect(!answer.text.contains("brittle"))
            #expect(stage.lines.all.contains { $0.contains("brittle") })
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test(arguments: [
        (#""options":{"closed":true}"#, "refused", "closed for today"),
        (#""options":{"colour":1}"#, "invalid-options", "colour"),
        (#""open":["somewhere"]"#, "unacceptable-input", "accepts no links"),
    ])
    func `a refused request to open a session gets the same kinds of problems as a refused event`(
        body: String, type: String, words: String
    ) async throws {
        try await Surface.inProcess.serve([FragileApp.self]) { stage in
            let answer = try await stage.request(.post, "/sessions", body: #"{"app":"fragile",\#(body)}"#)
            #expect(answer.status == 422)
            #expect(answer["type"]?.string == "urn:usher:problem:\(type)")
            #expect(answer.detail.contains(words), "\(answer.text)")
            #expect(answer["code"]?.string == (type == "refused" ? "closed" : nil))
        }
    }

    @Test func `if an app finishes while it starts, its session has already ended when it is opened`() async throws {
        try await Surface.inProcess.serve([BriefApp.self]) { stage in
            let answer = try await stage.request(.post, "/sessions", body: #"{"app":"brief"}"#)
            #expect(answer.status == 201)
            #expect(answer["ended", "reason"]?.string == "finished")
            #expect(try await stage.request(.get, answer.headers["Location"] ?? "").status == 410)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    private func walk(on surface: Surface, _ body: (Walk, LogLines) async throws -> Void) async throws {
        try await surface.serve([FragileApp.self]) { stage in
            try await body(try await stage.open("fragile"), stage.lines)
        }
    }
}

private enum FragileApp: App {
    struct Options: Codable, Sendable {
        var broken = false
        var closed = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        guard !options.broken else { throw BrittleError() }
        guard !options.closed else { throw Refusal("closed for today", code: "closed") }
        return FragileCoordinator()
    }
}

private struct BrittleError: Error, CustomStringConvertible {
    var description: String { "brittle" }
}

private struct FragileScreen: Screen {
    enum Event: Codable, CaseIterable { case refuse, decline, fail, leak, finish, boast }
}

private final class FragileCoordinator: Coordinator<String> {
    override func start() {
        push(FragileScreen()) { me, event in
            switch event {
            case .refuse: throw Refusal("not before noon")
            case .decline: throw Refusal("the card was declined", code: "card-declined")
            case .fail: throw BrittleError()
            case .leak: me.leak()
            case .finish: me.finish("all done")
            case .boast: me.finish(String(repeating: "x", count: 20_000))
            }
        }
    }

    private func leak() {
        let child = KeptCoordinator()
        child.itself = child
        start(child)
        child.cancel()
    }
}

private final class KeptCoordinator: Coordinator<Never> {
    var itself: KeptCoordinator?
}

private enum BriefApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { BriefCoordinator() }
}

private final class BriefCoordinator: Coordinator<Void> {
    override func start() {
        finish()
    }
}
