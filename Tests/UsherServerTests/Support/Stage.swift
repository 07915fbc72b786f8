import LocalhostClient
import Testing
import UsherHTTP
import UsherJSON

/// A server under test, in process or behind a socket.
final class Stage {
    let lines: LogLines
    private let respond: (Request) async throws -> Response

    init(lines: LogLines, respond: @escaping (Request) async throws -> Response) {
        self.lines = lines
        self.respond = respond
    }

    /// Sends a request.
    ///
    /// - Parameter asOperator: Whether requests to the operator's paths have the operator's token.
    func request(
        _ method: UsherHTTP.Method, _ path: String, query: String? = nil, headers: HeaderFields = [:],
        body: String? = nil, asOperator: Bool = true
    ) async throws -> Answer {
        var headers = headers
        if asOperator, LocalhostClient.isOperators(path), !headers.contains("Authorization") {
            headers.append(name: "Authorization", value: "Bearer \(LocalhostClient.operatorToken)")
        }
        if body != nil, !headers.contains("Content-Type") {
            headers.append(name: "Content-Type", value: "application/json")
        }
        let request = Request(method, path: path, query: query, headers: headers, body: Array((body ?? "").utf8))
        let answer = Answer(try await respond(request))
        let complaint = ContractWatch.shared?.complaint(request, answer)
        #expect(complaint == nil)
        return answer
    }

    /// Opens a session for inputs.
    func open(_ app: String, options: String? = nil) async throws -> Walk {
        let body = options.map { #"{"app":"\#(app)","options":\#($0)}"# } ?? #"{"app":"\#(app)"}"#
        let answer = try await request(.post, "/sessions", body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return try Walk(on: self, opened: answer)
    }
}
