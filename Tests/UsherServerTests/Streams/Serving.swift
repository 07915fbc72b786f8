import LocalhostClient
import Testing
import Usher
import UsherJournal
import UsherServer

/// Runs a server on a free port, for tests with their own sockets.
func withServer(
    _ apps: [any App.Type], journal: any Journal = MemoryJournal(), _ body: (Server) async throws -> Void
) async throws {
    let server = try Server(apps: apps, options: .test, journal: journal, log: Log(.text, sink: { _ in }))
    do {
        try await BlockingThreads.run { try await body(server) }
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// A client that watches a session.
final class StreamClient {
    private let connection: RawConnection
    /// The data of the newest event.
    private(set) var data = ""

    init(
        _ port: Int, _ path: String, lastEventID: String? = nil, accept: String? = nil, token: String? = nil,
        timeout: Int = 20, room: Int32? = nil
    ) throws {
        connection = try RawConnection(port: port, timeout: timeout, room: room)
        let known = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let accepted = accept.map { "Accept: \($0)\r\n" } ?? ""
        let bearer = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try connection.send("GET \(path)/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\(known)\(accepted)\(bearer)\r\n")
        let head = try connection.readInterim()
        try #require(head.status == 200)
        #expect(head["Content-Type"] == "text/event-stream")
        // This tells proxies not to collect events for compression (RFC 9111, section 5.2.2.6).
        #expect(head["Cache-Control"] == "no-store, no-transform")
    }

    /// Returns the next event as its name and id; nil at the end.
    ///
    /// Comments are skipped.
    func next() throws -> String? {
        while let lines = try connection.readEvent() {
            let fields = lines.map { $0.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } } }
            func value(_ name: String) -> String? { fields.first { $0.first == name[...] }?.last.map(String.init) }
            data = value("data") ?? data
            if let event = value("event") { return value("id").map { "\(event) \($0)" } ?? event }
            if let retry = value("retry") { return "retry \(retry)" }
        }
        return nil
    }
}
