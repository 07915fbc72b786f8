import Foundation
import FoundationNetworking
import Testing

/// The app over localhost, as a client sees it.
@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    @Test func `a user logs in, goes to a film, and swipes back`() async throws {
        try await withServer { server in
            let session = try await Session(open: server)
            #expect(session.state.stack == ["login"])
            let wrong = try await session.send(#"{"event":{"logIn":{"name":"kim","password":"wrong"}}}"#)
            #expect(wrong.stack == ["login", "alert"])
            #expect(!wrong.text.contains("wrong\""))
            try await session.send(#"{"event":{"tap":{"action":"OK"}}}"#)
            try await session.send(#"{"event":{"logIn":{"name":"kim","password":"popcorn"}}}"#)
            try await session.wait { $0.text.contains("Night Train") }
            #expect(try await session.send(#"{"event":{"select":{"id":1}}}"#).stack == ["filmList", "filmDetail"])
            #expect(try await session.send(#"{"back":true}"#).stack == ["filmList"])
        }
    }

    @Test func `a deep link opens a film`() async throws {
        try await withServer { server in
            let session = try await Session(open: server)
            try await session.send(#"{"open":[{"url":{"_0":"matinee://films/2"}}]}"#)
            try await session.send(#"{"event":{"logIn":{"name":"lee","password":"popcorn"}}}"#)
            try await session.wait { $0.stack == ["filmList", "filmDetail"] }
        }
    }

    @Test func `a banner is there for two seconds of the server's clock`() async throws {
        try await withServer { server in
            let session = try await Session(open: server)
            try await session.send(#"{"event":{"logIn":{"name":"kim","password":"popcorn"}}}"#)
            try await session.wait { $0.text.contains("Night Train") }
            try await session.send(#"{"event":{"select":{"id":1}}}"#)
            #expect(try await session.send(#"{"event":"toggleWatchlist"}"#).text.contains("On your watchlist"))
            try await session.wait { !$0.text.contains("On your watchlist") }
        }
    }

    /// Runs a server of its own.
    private func withServer(_ body: (String) async throws -> Void) async throws {
        let server = Process()
        let output = Pipe()
        server.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "MatineeServer")
        server.arguments = ["serve", "--port", "0", "--journal", "memory"]
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer { server.terminate() }
        // The first line; the next one has a link for the operator's browser.
        let lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let line = try #require(lines.split(separator: "\n").first)
        try await body(try #require(line.split(separator: " ").last.map(String.init)))
    }
}

/// A session on a server, over HTTP.
private final class Session {
    private(set) var state: State
    private let address: String

    init(open server: String) async throws {
        state = try await State(to: server + "/sessions", body: #"{"app":"matinee"}"#)
        address = server + "/sessions/" + state.session
    }

    @discardableResult
    func send(_ input: String) async throws -> State {
        state = try await State(to: address + "/events", body: input)
        return state
    }

    /// Waits until the state is as it should be.
    func wait(until isSo: (State) -> Bool) async throws {
        while !isSo(state) {
            state = try await State(
                to: address, headers: ["If-None-Match": "\"\(state.revision)\"", "Prefer": "wait=30"])
        }
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

    init(to url: String, body: String? = nil, headers: [String: String] = [:]) async throws {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, _) = try await URLSession.shared.data(for: request)
        text = String(decoding: data, as: UTF8.self)
        self.body = try JSONDecoder().decode(Body.self, from: data)
    }

    var session: String { body.session }
    var revision: Int { body.revision }
    var stack: [String] { body.stack.map(\.screen) }
}
