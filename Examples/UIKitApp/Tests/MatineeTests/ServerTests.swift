import Foundation
import FoundationNetworking
import Testing

/// Tests of the app over localhost, as a client sees it.
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

    @Test func `a banner is visible for two seconds of the server's clock`() async throws {
        try await withServer { server in
            let session = try await Session(open: server)
            try await session.send(#"{"event":{"logIn":{"name":"kim","password":"popcorn"}}}"#)
            try await session.wait { $0.text.contains("Night Train") }
            try await session.send(#"{"event":{"select":{"id":1}}}"#)
            #expect(try await session.send(#"{"event":"toggleWatchlist"}"#).text.contains("On your watchlist"))
            try await session.wait { !$0.text.contains("On your watchlist") }
        }
    }

    @Test func `the operator's tree shows both planted leaks, each with the object that holds it`() async throws {
        try await withServer { server in
            let session = try await Session(open: server)
            try await session.send(#"{"event":{"logIn":{"name":"kim","password":"popcorn"}}}"#)
            try await session.wait { $0.text.contains("Night Train") }
            #expect(try await session.tree.own.zombies == [])
            try await session.send(#"{"select":"Profile"}"#)
            try await session.send(#"{"event":"showSettings"}"#)
            try await session.send(#"{"back":true}"#)
            let zombie = Tree.Finding(type: "SettingsCoordinator", holder: "ProfileCoordinator.childCoordinators[0]")
            #expect(try await session.tree.own.zombies == [zombie])
            try await session.bookTicket()
            try await session.send(#"{"back":true}"#)
            try await session.send(#"{"select":"Tickets"}"#)
            try await session.wait { $0.text.contains("C4") }
            try await session.send(#"{"event":{"select":{"id":1}}}"#)
            try await session.send(#"{"back":true}"#)
            let holder = try await session.holder(of: "TicketDetailViewController")
            #expect(holder.contains("TicketDetailViewController.viewModel.onShare"))
        }
    }

    /// Runs a body with a new server.
    private func withServer(_ body: (String) async throws -> Void) async throws {
        let server = Process()
        let output = Pipe()
        server.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "MatineeServer")
        server.arguments = ["serve", "--port", "0", "--journal", "memory", "--session-access", "id"]
        server.environment = ProcessInfo.processInfo.environment
            .merging(["USHER_ADMIN_TOKEN": "the-operator-of-tests"]) { $1 }
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer { server.terminate() }
        // The first line has the address; the next one has a link for the operator's browser.
        let lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let line = try #require(lines.split(separator: "\n").first)
        try await body(try #require(line.split(separator: " ").last.map(String.init)))
    }
}

/// A session on a server, used over HTTP.
private final class Session {
    private(set) var state: State
    private let address: String
    private let operatorAddress: String

    init(open server: String) async throws {
        state = try await State(to: server + "/sessions", body: #"{"app":"matinee"}"#)
        address = server + "/sessions/" + state.session
        operatorAddress = server + "/admin/sessions/" + state.session
    }

    /// The coordinators, as an operator sees them.
    var tree: Tree {
        get async throws {
            var request = URLRequest(url: try #require(URL(string: operatorAddress + "/tree")))
            request.setValue("Bearer the-operator-of-tests", forHTTPHeaderField: "Authorization")
            return try JSONDecoder().decode(Tree.self, from: try await URLSession.shared.data(for: request).0)
        }
    }

    @discardableResult
    func send(_ input: String) async throws -> State {
        state = try await State(to: address + "/events", body: input)
        return state
    }

    /// Waits until the state satisfies a condition.
    func wait(until isSo: (State) -> Bool) async throws {
        while !isSo(state) {
            state = try await State(
                to: address, headers: ["If-None-Match": "\"\(state.revision)\"", "Prefer": "wait=30"])
        }
    }
}

extension Session {
    /// Goes from the list of films to a ticket, and back to the film.
    func bookTicket() async throws {
        for input in [
            #"{"select":"Films"}"#, #"{"event":{"select":{"id":1}}}"#, #"{"event":"book"}"#,
            #"{"event":{"toggle":{"seat":"C4"}}}"#, #"{"event":"pay"}"#, #"{"event":"pay"}"#,
        ] {
            try await send(input)
        }
        try await wait { $0.stack.last == "confirmation" }
        try await send(#"{"event":"done"}"#)
    }
}

extension Session {
    /// Waits until the holder of a leak is known.
    func holder(of type: String) async throws -> String {
        while true {
            let leak = try #require(try await tree.leaks.first { $0.type == type })
            if let holder = leak.holder { return holder }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// A session's coordinators, and what is wrong with them.
private struct Tree: Decodable {
    struct Finding: Decodable, Equatable {
        let type: String
        /// The retainer of a leak, which the server searches for after it has responded to the input.
        let holder: String?
    }

    struct Own: Decodable {
        let zombies: [Finding]
        let leaks: [Finding]
    }

    let own: Own
    let leaks: [Finding]
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
