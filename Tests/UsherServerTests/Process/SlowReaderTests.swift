import LocalhostClient
import Programs
import Testing

/// Tests of the memory that streams without readers take, as an operator sees it.
@Suite("Readers of streams that are slow", .blocking, .serialized, .timeLimit(.minutes(5)))
struct SlowReaderTests {
    private static let text = String(repeating: "x", count: 56_000)

    private func serve(_ options: [String] = []) throws -> (program: Program, port: Int) {
        let program = try Program(
            "GalleryProgram", ["serve", "--port", "0", "--journal", "memory", "--no-supervisor"] + options,
            environment: [:])
        return (program, try #require(program.readPort()))
    }

    /// Opens a session with a large state.
    private func open(_ client: LocalhostClient) throws -> String {
        let opened = try client.request("POST", "/sessions", body: #"{"app":"gallery"}"#)
        let path = try #require(opened["Location"])
        #expect(try client.request("POST", "\(path)/events", body: Self.grow).status == 200)
        return path
    }

    private static let grow = #"{"event":{"echo":{"text":"\#(text)"}}}"#

    /// Changes the large state, so that each response is different.
    private func change(_ path: String, _ client: LocalhostClient) throws {
        #expect(try client.request("POST", "\(path)/events", body: #"{"back":true}"#).status == 200)
        #expect(try client.request("POST", "\(path)/events", body: Self.grow).status == 200)
    }

    /// Opens streams with small buffers, and reads only their heads.
    private func streams(_ count: Int, of path: String, port: Int) throws -> [RawConnection] {
        let streams = try (0..<count).map { _ in
            let stream = try RawConnection(port: port, room: 4_096)
            try stream.send("GET \(path)/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return stream
        }
        for stream in streams { #expect(try stream.readInterim().status == 200) }
        return streams
    }

    @Test func `a state is in memory only once, however many streams send the state`() throws {
        let (program, port) = try serve()
        let client = LocalhostClient(port: port)
        let path = try open(client)
        let before = program.residentBytes
        let streams = try streams(1_500, of: path, port: port)
        for _ in 0..<10 { try change(path, client) }
        let after = program.residentBytes
        // 1,500 connections alone take some 30 MB. If each stream had its own copy of the states, it would take 250 KB
        // more.
        #expect((after - before) >> 20 < 120, "grown by \((after - before) >> 20) MB")
        let reader = try #require(streams.last)
        var events: [[String]] = []
        while events.last?.first?.hasPrefix("id: 22") != true { events.append(try #require(try reader.readEvent())) }
        #expect(events.contains { $0.first == "event: gap" }, "the reader has missed some states")
        withExtendedLifetime(streams) {}
    }

    @Test func `the memory for slow readers of many sessions is limited, and other clients are served`() throws {
        let (program, port) = try serve(["--memory", "192M"])
        let client = LocalhostClient(port: port)
        let paths = try (0..<100).map { _ in try open(client) }
        var slow: [RawConnection] = []
        for path in paths { slow += try streams(5, of: path, port: port) }
        for _ in 0..<6 {
            for path in paths { try change(path, client) }
        }
        #expect(program.residentBytes >> 20 < 192)
        let health = try client.request("GET", "/healthz")
        #expect(health.status == 200)
        withExtendedLifetime(slow) {}
    }
}
