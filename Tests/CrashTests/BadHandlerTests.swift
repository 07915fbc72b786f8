import Glibc
import LocalhostClient
import Programs
import Testing
import UsherProcess
import UsherSessions

/// Tests that a bad handler leaves a mark in the flight record, and that the watchdog ends endless handlers.
@Suite("Handlers that crash or hang", .blocking, .timeLimit(.minutes(5)))
struct BadHandlerTests {
    /// A mistake in a handler, and the way in which the process then ends.
    struct Deed: CustomTestStringConvertible {
        let name: String
        let status: Int32
        /// The cause in the flight record.
        let cause: String
        var options: [String] = []
        var testDescription: String { name }
    }

    private static let deeds = [
        Deed(name: "index", status: -SIGILL, cause: "SIGILL"),
        Deed(name: "recurse", status: -SIGSEGV, cause: "SIGSEGV"),
        Deed(name: "exit", status: 3, cause: "exit 3"), Deed(name: "abort", status: -SIGABRT, cause: "SIGABRT"),
        Deed(name: "loop", status: 70, cause: "timeout", options: ["--handler-timeout", "300ms"]),
        Deed(name: "block", status: 70, cause: "timeout", options: ["--handler-timeout", "300ms"]),
        Deed(
            name: "allocate", status: 70, cause: "memory",
            options: ["--handler-timeout", "0", "--input-memory", "64M"]),
    ]

    @Test(arguments: deeds)
    func `after a crash, the flight record contains the input, the reason, and everything that a retry needs`(
        deed: Deed
    )
        throws
    {
        let server = try BadServer(deed.options)
        let id = try server.open()
        try server.send(id, #"{"event":"count"}"#)
        let input = #"{"event":{"event":{"deed":"\#(deed.name)","note":"n"}}}"#
        try server.leave(id, input)
        let end = try server.finish()
        #expect(end.status == deed.status, "\(end.error.suffix(2_000))")
        let mark = try server.onlyMark()
        #expect(mark.kind == .input && mark.app == "crash" && mark.revision == 2 && mark.entryKind == 2)
        #expect(mark.session.high == UInt64(id.prefix(16), radix: 16))
        #expect(String(decoding: mark.payload, as: UTF8.self) == input)
        let crash = Crash(mark, of: "\(Program.products)/CrashProgram")
        #expect(crash?.cause == deed.cause)
        #expect(crash?.symbol?.contains("Deed.") == true, "\(mark.frames)")
        #expect(end.error.contains("handler beyond its limit") == (deed.status == 70) && !end.error.contains(id))
    }

    @Test func `if another process's signal ends the server, the flight record does not blame the input in progress`()
        throws
    {
        let server = try BadServer(["--handler-timeout", "0"])
        let id = try server.open()
        try server.leave(id, #"{"event":{"event":{"deed":"block"}}}"#)
        while server.remains.marks.isEmpty {}
        server.kill(by: SIGSEGV)
        #expect(try server.onlyMark().note == nil)
    }

    @Test(arguments: [("timer", #"{"timer":"#), ("result", #"{"effect":"#)])
    func `the flight record contains the timer or effect result that crashed the process, with its id`(
        event: String, payload: String
    )
        throws
    {
        let server = try BadServer()
        let id = try server.open()
        try server.leave(id, #"{"event":{"\#(event)":{"deed":"index"}}}"#)
        #expect(try server.finish().status == -SIGILL)
        let mark = try server.onlyMark()
        #expect(mark.kind == .input && mark.revision == 2)
        #expect(String(decoding: mark.payload, as: UTF8.self).hasPrefix(payload))
    }

    @Test func `the flight record contains the session's creation that crashed the process, with the app and options`()
        throws
    {
        let server = try BadServer()
        try server.leave(creating: #"{"app":"crash","options":{"deed":"index"}}"#)
        #expect(try server.finish().status == -SIGILL)
        let mark = try server.onlyMark()
        #expect(mark.kind == .creation && mark.app == "crash" && mark.revision == 0 && mark.entryKind == 1)
        #expect(String(decoding: mark.payload, as: UTF8.self).contains(#""options":{"deed":"index"}"#))
    }

    @Test func `the flight record contains the revision of the replay that crashed the process`() throws {
        let server = try BadServer()
        let id = try server.open()
        for _ in 0..<100 { try server.send(id, #"{"event":"count"}"#) }
        try server.send(id, #"{"event":{"replay":{"deed":"index"}}}"#)
        #expect(try server.stop().status == 0)
        try server.arm()
        try server.start()
        try server.look(id)
        #expect(try server.finish().status == -SIGILL)
        let mark = try server.onlyMark()
        #expect(mark.kind == .replay && mark.revision == 102)
    }

    @Test(arguments: [("encode", FlightMark.Kind.input), ("leave", .input), ("stay", .end)])
    func `if a screen or the release of a coordinator crashes the process, the flight record contains the input`(
        event: String, kind: FlightMark.Kind
    ) throws {
        let server = try BadServer()
        let id = try server.open()
        let input = #"{"event":{"\#(event)":{"deed":"index"}}}"#
        if kind == .end {
            try server.send(id, input)
            try server.delete(id)
        } else {
            try server.leave(id, input)
        }
        #expect(try server.finish().status == -SIGILL)
        #expect(try server.onlyMark().kind == kind)
    }

    @Test func `after a crash, the server's next start reports the input in progress; a clean stop leaves no record`()
        throws
    {
        let server = try BadServer()
        let id = try server.open()
        try server.leave(id, #"{"event":{"event":{"deed":"exit"}}}"#)
        #expect(try server.finish().status == 3)
        try server.start()
        #expect(try LocalhostClient(port: server.port).request("GET", "/sessions/\(id)").status == 200)
        let end = try server.stop()
        #expect(end.status == 0)
        #expect(end.error.contains("input guilty") && end.error.contains(#"app="crash""#))
        #expect(server.remains == FlightRecord.Remains())
    }

    @Test func `if the flight record belongs to another program, the server starts and logs one line`() throws {
        let server = try BadServer()
        #expect(try server.stop().status == 0)
        try server.writeRecord("nonsense")
        try server.start()
        _ = try server.open()
        let end = try server.stop()
        #expect(end.status == 0 && end.error.contains("flight record lost"))
    }

    @Test func `a handler that never returns blocks only the requests to its own session`() async throws {
        let server = try BadServer(["--threads", "2", "--handler-timeout", "0"])
        let id = try server.open()
        let other = try server.open()
        try server.leave(id, #"{"event":{"event":{"deed":"block"}}}"#)
        while server.remains.marks.isEmpty {}
        for _ in 0..<20 { try server.look(id) }
        // The threads share the connections, and those of a blocked handler's thread get no responses.
        let port = server.port
        let answer = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { try? LocalhostClient(port: port).request("GET", "/sessions/\(other)").status }
            }
            let first = await group.first { $0 != nil }
            server.kill()
            return first
        }
        #expect(answer == 200)
        // Reads of the other session may also have been in progress.
        #expect(server.remains.marks.count { $0.kind == .input } == 1)
    }

    @Test func `the server answers health requests even while handlers block all threads`() throws {
        let server = try BadServer(["--threads", "2", "--handler-timeout", "0"])
        // One request after the other, so that a free thread takes the next connection.
        for (index, id) in try [server.open(), server.open()].enumerated() {
            try server.leave(id, #"{"event":{"event":{"deed":"block"}}}"#)
            while server.remains.marks.count <= index {}
        }
        for _ in 0..<10 { #expect(try LocalhostClient(port: server.port).request("GET", "/healthz").status == 200) }
        server.kill()
    }

    @Test func `a server with a handler that never returns can be stopped`() throws {
        let server = try BadServer(["--handler-timeout", "0"])
        let id = try server.open()
        try server.leave(id, #"{"event":{"event":{"deed":"block"}}}"#)
        #expect(try server.stop().status == 71)
        #expect(try server.onlyMark().kind == .input)
    }
}
