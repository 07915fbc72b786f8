import Foundation
import FoundationNetworking
import Testing

/// Tests of the app over localhost, as a client sees it.
@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    @Test func `a session and its timers continue after the server was killed and restarted`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let journal = "sqlite:" + folder.appending(path: "journal.sqlite").path

        let first = try Server(journal: journal)
        defer { first.end(by: SIGKILL) }
        let opened = try await first.request("/sessions", #"{"app":"larder"}"#)
        let session = "/sessions/\(opened.session)"
        try await first.wait(for: session, from: opened) { $0.text.contains("Plum cake") }
        // The search is debounced: the server is killed before or after the timer fires.
        try await first.request(session + "/events", #"{"event":{"type":{"query":"onion"}}}"#)
        first.end(by: SIGKILL)

        let second = try Server(journal: journal)
        defer { second.end(by: SIGTERM) }
        let found = try await second.wait(for: session) { !$0.text.contains("Plum cake") }
        #expect(found.text.contains("Onion soup"))
        try await second.request(session + "/events", #"{"event":{"select":{"id":2}}}"#)
        let recipe = try await second.wait(for: session) { $0.text.contains("Boil") }
        #expect(recipe.stack == ["search", "recipe"])
        #expect(try await second.request(session + "/events", #"{"event":"cook"}"#).stack.last == "kitchenTimer")
        #expect(try await second.request(session + "/events", #"{"event":"toggle"}"#).text.contains("120"))
        try await second.wait(for: session) { $0.text.contains("119") }
        #expect(try await second.request(session + "/events", #"{"back":true}"#).stack == ["search", "recipe"])
    }
}

/// A server in a separate process.
private final class Server {
    private let process = Process()
    private let address: String

    init(journal: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "LarderServer")
        process.arguments = ["serve", "--port", "0", "--journal", journal, "--session-access", "id", "--no-supervisor"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The first line has the address; the next one has a link for the operator's browser.
        let lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let line = try #require(lines.split(separator: "\n").first)
        address = try #require(line.split(separator: " ").last.map(String.init))
    }

    func end(by signal: Int32) {
        guard process.isRunning else { return }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    @discardableResult
    func request(_ path: String, _ body: String? = nil, headers: [String: String] = [:]) async throws -> State {
        var request = URLRequest(url: try #require(URL(string: address + path)))
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try State(try await URLSession.shared.data(for: request).0)
    }

    /// Waits until a session's state satisfies a condition.
    @discardableResult
    func wait(for session: String, from state: State? = nil, until isSo: (State) -> Bool) async throws -> State {
        var state = if let state { state } else { try await request(session) }
        while !isSo(state) {
            state = try await request(
                session, headers: ["If-None-Match": "\"\(state.revision)\"", "Prefer": "wait=30"])
        }
        return state
    }
}

/// A session's state, as the server shows it.
private struct State {
    private struct Body: Decodable {
        struct Entry: Decodable { let screen: String }

        let session: String
        let revision: Int
        let stack: [Entry]
    }

    let text: String
    private let body: Body

    init(_ data: Data) throws {
        text = String(decoding: data, as: UTF8.self)
        body = try JSONDecoder().decode(Body.self, from: data)
    }

    var session: String { body.session }
    var revision: Int { body.revision }
    var stack: [String] { body.stack.map(\.screen) }
}
