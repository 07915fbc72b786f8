import Foundation
import FoundationNetworking
import Testing

/// Tests signing in through a server's process.
@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    @Test func `the answer to a sign-in shows the home screen`() async throws {
        try await withSession { session, _ in
            let state = try await session.send(#"{"event":{"logIn":{"name":"kim","password":"usher"}}}"#)
            #expect(state.visible == "home")
            #expect(state.text.contains(#""name":"Kim""#))
            #expect(!state.text.contains("usher"))
        }
    }

    @Test func `a client that prefers not to wait gets an answer at once, even if the backend is slow`() async throws {
        try await withSession { session, backend in
            backend.behave(.slow)
            let state = try await session.logInWithoutWaiting()
            #expect(state.visible == "login")
            #expect(state.pending == ["signIn"])
            await backend.next(.held)
            backend.release()
            let next = try await session.state(after: state)
            #expect(next.visible == "home")
            #expect(next.pending == [])
        }
    }

    @Test func `closing the login screen cancels its request`() async throws {
        try await withSession { session, backend in
            backend.behave(.slow)
            _ = try await session.logInWithoutWaiting()
            await backend.next(.held)
            let state = try await session.send(#"{"event":"close"}"#)
            #expect(state.visible == "home")
            #expect(state.pending == [])
            await backend.next(.abandoned)
        }
    }

    /// Opens a session at its login, on a new server with a new backend.
    private func withSession(_ body: (Session, Backend) async throws -> Void) async throws {
        try await Backend.run { backend in
            let server = Process()
            let output = Pipe()
            server.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "AccountsServer")
            server.arguments = ["serve", "--port", "0", "--journal", "memory", "--session-access", "id"]
            server.environment = ["ACCOUNTS_BACKEND": backend.url]
            server.standardOutput = output
            server.standardError = FileHandle.nullDevice
            try server.run()
            defer { server.terminate() }
            // The first line has the address; the next one has a link for the operator's browser.
            let lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let line = try #require(lines.split(separator: "\n").first)
            let address = try #require(line.split(separator: " ").last.map(String.init))
            let session = try await Session(open: address)
            #expect(try await session.send(#"{"event":"signIn"}"#).visible == "login")
            try await body(session, backend)
        }
    }
}

/// A session on a server, used over HTTP.
private struct Session {
    private let address: String

    init(open server: String) async throws {
        let opened = try await State(to: server + "/sessions", body: #"{"app":"accounts"}"#)
        address = server + "/sessions/" + opened.session
    }

    func send(_ event: String, preferring preference: String? = nil) async throws -> State {
        try await State(to: address + "/events", body: event, headers: preference.map { ["Prefer": $0] } ?? [:])
    }

    func logInWithoutWaiting() async throws -> State {
        try await send(
            #"{"event":{"logIn":{"name":"kim","password":"usher"}}}"#, preferring: "respond-async")
    }

    /// Returns the next state after a known one.
    func state(after known: State) async throws -> State {
        try await State(to: address, headers: ["If-None-Match": "\"\(known.revision)\"", "Prefer": "wait=30"])
    }
}

/// A session's state, as the server shows it.
private struct State {
    private struct Body: Decodable {
        struct Entry: Decodable { let screen: String }

        let session: String
        let revision: Int
        let stack: [Entry]
        let pending: [String]
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
    var visible: String? { body.stack.last?.screen }
    var pending: [String] { body.pending }
}
