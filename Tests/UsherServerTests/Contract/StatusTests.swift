import LocalhostClient
import StartLoginMain
import Testing
import Usher
import UsherContract
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Every status of the contract", .blocking)
struct StatusTests {
    @Test func `this suite has a request for each status of the contract`() {
        let statuses = ContractOperation.all.flatMap { operation in
            operation.answers.map(\.status.code) + operation.refusals.map(\.status.code)
        }
        // `StopTests` produces the status 504, which a server returns if it stops during a request.
        #expect(Set(statuses) == Set(Self.requests.map(\.status) + [504]))
    }

    @Test(arguments: requests)
    func `over HTTP, each request gets the status that the contract states`(row: Row) async throws {
        var options = ServeOptions.test
        options.sessionAccess = row.access
        options.maxSessions = 1
        options.addressLimits.scope = .all
        options.addressLimits.sessions = 1
        let server = try Server(
            apps: [StartLoginMainApp.self, BrokenApp.self], options: options, log: Log(.text, sink: { _ in }))
        let answer: RawResponse
        do {
            answer = try await BlockingThreads.run { try row.send(Visit(port: server.port)) }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        #expect(answer.status == row.status, "\(answer.text)")
        guard answer.status >= 400, answer["Content-Type"] == "application/problem+json" else { return }
        let problem = try JSONDocument(parsing: answer.body).root
        #expect(problem[member: "status"]?.integer == row.status)
        #expect(problem[member: "type"]?.string == row.kind?.type ?? "about:blank")
    }

    /// A request, and the status of its response.
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let kind: ProblemKind?
        let access: SessionKeyKind
        let send: @Sendable (Visit) throws -> RawResponse

        init(
            _ status: Int, _ kind: ProblemKind? = nil, by access: SessionKeyKind = .id,
            _ send: @escaping @Sendable (Visit) throws -> RawResponse
        ) {
            self.status = status
            self.kind = kind
            self.access = access
            self.send = send
        }

        var testDescription: String { "\(status) \(kind?.rawValue ?? "")" }
    }

    /// A client of a new server.
    final class Visit {
        private let port: Int
        private let client: LocalhostClient

        init(port: Int) {
            self.port = port
            client = LocalhostClient(port: port, token: nil)
        }

        func request(
            _ method: String, _ path: String, _ headers: [(String, String)] = [], body: String? = nil
        ) throws -> RawResponse {
            try client.request(method, path, headers: headers, body: body)
        }

        /// Opens a session.
        ///
        /// - Returns: The session's path.
        func open() throws -> String {
            try #require(try request("POST", "/sessions", body: Self.opening)["Location"])
        }

        /// Opens a session, and sends an input to it.
        func send(_ body: String, _ headers: [(String, String)] = []) throws -> RawResponse {
            try request("POST", "\(open())/events", headers, body: body)
        }

        /// Sends bytes unchanged.
        func say(_ text: String) throws -> RawResponse {
            let connection = try RawConnection(port: port)
            try connection.send(text)
            return try connection.readResponse()
        }

        static let opening = #"{"app":"start-login-main"}"#
    }

    private static let nobody = "/sessions/" + String(repeating: "0", count: 32)
    private static let token = LocalhostClient.operatorToken
    private static let key = [("Authorization", "Bearer \(token)")]

    private static let requests: [Row] = [
        Row(200) { try $0.send(#"{"event":"startApp"}"#) },
        Row(201) { try $0.request("POST", "/sessions", body: Visit.opening) },
        Row(204) { try $0.request("DELETE", try $0.open()) },
        Row(303) { try $0.request("GET", "/login?token=\(token)") },
        Row(304) { try $0.request("GET", try $0.open(), [("If-None-Match", "\"1\"")]) },
        Row(400, .malformedBody) { try $0.send("{") },
        Row(400, .malformedRequest) { try $0.request("GET", try $0.open(), [("If-Match", "7")]) },
        Row(400) { try $0.request("GET", "/a/../b") },
        Row(401, .tokenNeeded) { try $0.request("GET", "/admin/sessions") },
        Row(401, .tokenNeeded, by: .token) { try $0.request("GET", try $0.open()) },
        Row(403, .wrongToken) { try $0.request("GET", "/apps", [("Authorization", "Bearer x")]) },
        Row(403, .wrongToken, by: .token) { try $0.request("DELETE", try $0.open(), key) },
        Row(403, .backendNeeded, by: .token) { visit in
            try visit.request("POST", "/sessions", body: #"{"app":"start-login-main","options":{"loggedIn":true}}"#)
        },
        Row(403, .foreignHost) { try $0.request("GET", "/apps", [("Host", "evil.example")]) },
        Row(403, .foreignOrigin) { try $0.request("GET", nobody, [("Origin", "http://evil.example")]) },
        Row(404, .unknownSession) { try $0.request("GET", nobody) },
        Row(404) { try $0.request("GET", "/") },
        Row(405) { try $0.request("PUT", "/sessions", body: "{}") },
        Row(406) { try $0.request("GET", try $0.open(), [("Accept", "application/json; profile=small")]) },
        Row(409, .staleScreen) { try $0.send(#"{"popped":99}"#) },
        Row(410, .sessionEnded) { visit in
            let path = try visit.open()
            _ = try visit.request("DELETE", path)
            return try visit.request("GET", path)
        },
        Row(412, .revisionMismatch) { try $0.send(#"{"back":true}"#, [("If-Match", "\"7\"")]) },
        Row(413) { try $0.request("POST", "/sessions", body: String(repeating: " ", count: 70_000)) },
        Row(414) { try $0.request("GET", "/" + String(repeating: "a", count: 3_000)) },
        Row(415) { try $0.request("POST", "/sessions", [("Content-Type", "text/plain")], body: "{}") },
        Row(417) { try $0.request("GET", "/healthz", [("Expect", "nothing")]) },
        Row(422, .unacceptableInput) { try $0.send(#"{"event":"fly"}"#) },
        Row(422, .unknownApp) { try $0.request("POST", "/sessions", body: #"{"app":"none"}"#) },
        Row(422, .invalidOptions) { visit in
            try visit.request("POST", "/sessions", body: #"{"app":"start-login-main","options":{"loggedIn":7}}"#)
        },
        Row(422, .undrawableScreen) { visit in
            try visit.request("POST", "/sessions", body: #"{"app":"start-login-main","client":{"screens":{}}}"#)
        },
        Row(422, .refused) { try $0.request("POST", "/sessions", body: #"{"app":"broken"}"#) },
        Row(422, .keyReused) { visit in
            let key = [("Idempotency-Key", "one")]
            _ = try visit.request("POST", "/sessions", key, body: Visit.opening)
            return try visit.request("POST", "/sessions", key, body: #"{"app":"broken"}"#)
        },
        Row(422, .noRevision) { try $0.request("GET", "/admin\(try $0.open())/at/9", key) },
        Row(422, .unsupported) { try $0.request("POST", "/admin/backup", key) },
        Row(429, .tooMuchFromAddress) { visit in
            for _ in 0..<10 { _ = try visit.request("POST", "/sessions", body: #"{"app":"none"}"#) }
            return try visit.request("POST", "/sessions", body: #"{"app":"none"}"#)
        },
        Row(431) { try $0.request("GET", "/healthz", [("Cookie", String(repeating: "a", count: 16_000))]) },
        Row(500, .handlerFailed) { visit in
            try visit.request("POST", "/sessions", body: #"{"app":"broken","options":{"fails":true}}"#)
        },
        Row(503, .serverFull) { visit in
            _ = try visit.open()
            return try visit.request("POST", "/sessions", body: Visit.opening)
        },
        Row(505) { try $0.say("GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n") },
    ]
}

/// An app that cannot be opened.
private enum BrokenApp: App {
    struct Options: Codable, Sendable {
        var fails = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        if options.fails { throw BrokenRoot() }
        throw Refusal("closed for today")
    }
}

private struct BrokenRoot: Error {}
