import Glibc
import LocalhostClient
import Programs
import Testing
import UsherJSON
import UsherProcess

/// Tests P5: the server rejects an input that has crashed it from the next start on, and the service stays available.
@Suite("Inputs that crashed the server", .blocking, .timeLimit(.minutes(5)))
struct RefusalTests {
    private static let deeds = ["index", "recurse", "exit", "abort", "loop", "block", "allocate"]
    private static let limits = ["--handler-timeout", "1s", "--input-memory", "64M"]

    @Test(arguments: deeds)
    func `an event that crashed the server once is refused afterwards, and the server continues`(deed: String) throws {
        let server = try BadServer(Self.limits)
        let (id, other) = (try server.open(), try server.open())
        try server.send(id, #"{"event":"count"}"#)
        try server.send(other, #"{"event":"count"}"#)
        let answer = try server.insist(on: id, #"{"event":{"deed":"\#(deed)"}}"#)
        #expect(answer.crashes == 1)
        #expect(answer.status == 422 && answer.problem == "input-crashes")
        for _ in 0..<3 { #expect(try server.insist(on: id, #"{"event":{"deed":"\#(deed)"}}"#).status == 422) }
        #expect(try server.insist(on: id, #""count""#).status == 200)
        #expect(try server.count(of: id) == 2)
        #expect(try server.count(of: other) == 1)
        let incident = try #require(try server.incidents().first)
        #expect(incident[member: "session"]?.string == id)
        #expect(incident[member: "refused"]?.boolean == true)
        #expect(incident[member: "crash"]?.string?.contains(" in ") == true)
        #expect(incident[member: "crash"]?.string?.contains("Deed.") == true)
        let end = try server.stop()
        #expect(end.status == 0)
        #expect(!end.error.contains(id), "no whole session id is in the log")
    }

    @Test(arguments: deeds)
    func `an import that would crash the server is refused, and the server continues`(deed: String) throws {
        let server = try BadServer(Self.limits)
        let id = try server.open()
        try server.send(id, #"{"event":"count"}"#)
        let client = LocalhostClient(port: server.port)
        let export = try client.request("GET", "/admin/sessions/\(id)/export?as=json").text
        let forged = export.replacing(#"\"event\":\"count\""#, with: #"\"event\":{\"event\":{\"deed\":\"\#(deed)\"}}"#)
        try #require(forged != export)
        let answer = try client.request("POST", "/admin/import", body: forged)
        #expect(answer.status == 422)
        #expect(answer.text.contains("revision 2 crashes the process ("), "\(answer.text)")
        #expect(try client.request("POST", "/admin/import", body: export).status == 201)
        #expect(try server.count(of: id) == 1)
        #expect(try server.incidents().isEmpty)
        #expect(try server.stop().status == 0)
    }

    @Test(arguments: ["timer", "result"], ["abort", "loop"])
    func `an import whose pending work would crash the server is refused`(
        kind: String, deed: String
    ) throws {
        let server = try BadServer(Self.limits)
        let id = try server.open()
        try server.leave(id, #"{"event":{"\#(kind)":{"deed":"\#(deed)"}}}"#)
        _ = try server.finish()
        try server.start()
        _ = try server.settle(id)
        let client = LocalhostClient(port: server.port)
        let export = try client.request("GET", "/admin/sessions/\(id)/export?as=json&revision=2").text
        let answer = try client.request("POST", "/admin/import", body: export)
        #expect(answer.status == 422)
        #expect(answer.text.contains("the end of its running work crashes the process ("), "\(answer.text)")
        #expect(try server.incidents().count == 1)
        #expect(try server.stop().status == 0)
    }

    @Test(arguments: ["timer", "result"], deeds)
    func `a timer or effect result that crashed the server is recorded as refused`(kind: String, deed: String) throws {
        let server = try BadServer(Self.limits)
        let (id, other) = (try server.open(), try server.open())
        try server.send(other, #"{"event":"count"}"#)
        // The client does not repeat what is already durable.
        try server.leave(id, #"{"event":{"\#(kind)":{"deed":"\#(deed)"}}}"#)
        _ = try server.finish()
        try server.start()
        var pending = true
        var crashes = 0
        while pending {
            let answer = try server.insist("GET", "/sessions/\(id)")
            crashes += answer.crashes
            try #require(answer.status == 200)
            let state = try JSONDocument(parsing: answer.response.body).root
            pending = state[member: "pending"].map { !Array($0.elements).isEmpty } ?? false
            if !pending { #expect(state[member: "warnings"].map { Array($0.elements).count } == 1) }
        }
        #expect(crashes == 0)
        #expect(try server.count(of: other) == 1)
        #expect(try server.insist(on: id, #""count""#).status == 200)
        #expect(try server.stop().status == 0)
    }

    /// Tests an effect whose work crashes.
    ///
    /// An isolated run would repeat the work, which has consequences outside.
    @Test(arguments: ["index", "recurse", "exit", "abort"])
    func `an effect that crashes the server is retried once and then recorded as refused`(deed: String) throws {
        let server = try BadServer()
        let (id, other) = (try server.open(), try server.open())
        try server.send(other, #"{"event":"count"}"#)
        try server.leave(id, #"{"event":{"effect":{"deed":"\#(deed)"}}}"#)
        let first = try server.finish()
        #expect(first.status != 0)
        // The effect starts without a request.
        try server.launch()
        let second = try server.finish()
        #expect(second.status == first.status, "\(first.error) \(second.error)")
        try server.start()
        let answer = try server.settle(id)
        #expect(answer.crashes == 0)
        #expect(answer.warnings == 1)
        #expect(try server.count(of: other) == 1)
        #expect(try server.insist(on: id, #""count""#).status == 200)
        let incident = try #require(try server.incidents().first)
        #expect(incident[member: "session"]?.string == id)
        #expect(incident[member: "refused"]?.boolean == true)
        let end = try server.stop()
        #expect(end.status == 0)
        #expect(end.error.contains("2 crashes") && !end.error.contains(id))
        #expect(server.remains.marks.isEmpty)
    }

    @Test func `an effect that was running when the server crashed is retried, and its result is delivered`()
        throws
    {
        let server = try BadServer()
        let id = try server.open()
        try server.leave(id, #"{"event":{"effect":{"deed":"dawdle"}}}"#)
        while !server.remains.marks.contains(where: { $0.kind == .effect }) {}
        server.kill()
        // Two more crashes meet another running effect, which does not count against this one.
        for _ in 0..<2 {
            try server.start()
            let other = try server.open()
            #expect(try server.settle(id).warnings == 0)
            try server.leave(other, #"{"event":{"event":{"deed":"abort"}}}"#)
            _ = try server.finish()
        }
        try server.start()
        #expect(try server.stop().status == 0)
        #expect(!server.remains.marks.contains { $0.kind == .effect })
    }

    @Test func `an effect may block longer than a handler may, even while the server stops`() throws {
        let server = try BadServer(Self.limits)
        let id = try server.open()
        try server.leave(id, #"{"event":{"effect":{"deed":"block"}}}"#)
        while !server.remains.marks.contains(where: { $0.kind == .effect }) {}
        // This is longer than any handler may take.
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(1_500)
        while clock.now < end { _ = try server.insist("GET", "/healthz") }
        #expect(try server.stop().status == 0)
        #expect(server.remains.marks.isEmpty)
    }

    @Test(arguments: deeds)
    func `a session's creation that crashed the server is refused, and other creations are accepted`(deed: String)
        throws
    {
        let server = try BadServer(Self.limits)
        let body = #"{"app":"crash","options":{"deed":"\#(deed)"}}"#
        let answer = try server.insist("POST", "/sessions", body: body)
        #expect(answer.crashes == 1)
        #expect(answer.status == 422 && answer.problem == "input-crashes")
        #expect(try server.insist("POST", "/sessions", body: body).crashes == 0)
        _ = try server.open()
        #expect(try server.stop().status == 0)
    }

    @Test(arguments: deeds)
    func `if a session's replay crashes the server, only that session is unavailable`(deed: String) throws {
        let server = try BadServer(Self.limits)
        let (id, other) = (try server.open(), try server.open())
        try server.send(id, #"{"event":{"replay":{"deed":"\#(deed)"}}}"#)
        try server.send(id, #"{"event":"count"}"#)
        try server.send(other, #"{"event":"count"}"#)
        #expect(try server.stop().status == 0)
        try server.arm()
        try server.start()
        let answer = try server.insist("GET", "/sessions/\(id)")
        #expect(answer.crashes == 1)
        #expect(answer.status == 503 && answer.problem == "session-held")
        #expect(try JSONDocument(parsing: answer.response.body).root[member: "revision"]?.integer == 2)
        #expect(try server.insist("GET", "/sessions/\(id)").crashes == 0)
        #expect(try server.count(of: other) == 1)
        #expect(try server.stop().status == 0)
    }

    @Test func `usher check reports the session and the input that crash, and still checks all other sessions`()
        throws
    {
        let server = try BadServer(Self.limits)
        let ids = try (0..<4).map { _ in try server.open() }
        try server.send(ids[1], #"{"event":"count"}"#)
        try server.send(ids[1], #"{"event":{"replay":{"deed":"index"}}}"#)
        #expect(try server.stop().status == 0)
        #expect(try server.check().status == 0)
        try server.arm()
        let end = try server.check()
        #expect(end.status == 1, "\(end.error)")
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == "4 live sessions: 3 unchanged, 1 held")
        #expect(lines[1].hasPrefix("1 held, crash: event replay ends the process: SIGILL in "))
        let example = "  such as \(ids[1]) at revision 3: input 3 (event replay) ends the process: SIGILL in "
        #expect(lines[2].hasPrefix(example))
    }

    @Test
    func `after inputs of three sessions crashed the server, the next input runs isolated and crashes nothing`()
        throws
    {
        let server = try BadServer()
        var crashes: [Int] = []
        for number in 0..<6 {
            let id = try server.open()
            let answer = try server.insist(on: id, #"{"event":{"deed":"abort","note":"\#(number)"}}"#)
            #expect(answer.status == 422)
            crashes.append(answer.crashes)
        }
        #expect(crashes == [1, 1, 1, 0, 0, 0])
        // A good input at this place runs isolated, and is then handled.
        let id = try server.open()
        #expect(try server.insist(on: id, #"{"event":{"deed":"dawdle"}}"#).status == 200)
        #expect(try server.incidents().count == 6)
        #expect(try server.stop().status == 0)
    }

    @Test func `an input that crashed the server is refused, even if it has another idempotency key`() throws {
        let server = try BadServer()
        let id = try server.open()
        for key in ["first", "first", "second"] {
            let answer = try server.insist(on: id, #"{"event":{"deed":"index"}}"#, key: key)
            #expect(answer.status == 422 && answer.problem == "input-crashes")
        }
        #expect(try server.insist(on: id, #"{"event":{"deed":"index"}}"#).crashes == 0)
        #expect(try server.insist(on: id, #""count""#, key: "third").status == 200)
        #expect(try server.stop().status == 0)
    }

    @Test func `an input that survives its isolated run is handled, and is not refused later`() throws {
        let server = try BadServer()
        let id = try server.open()
        try server.leave(id, #"{"event":{"event":{"deed":"dawdle"}}}"#)
        // The input is killed while it runs, without being the cause.
        while server.remains.marks.isEmpty {}
        server.kill()
        try server.start()
        #expect(try server.insist(on: id, #"{"event":{"deed":"dawdle"}}"#).status == 200)
        #expect(try server.incidents().isEmpty)
        let end = try server.stop()
        #expect(end.error.contains("in flight at the crash") && !end.error.contains("input guilty"))
    }
}
