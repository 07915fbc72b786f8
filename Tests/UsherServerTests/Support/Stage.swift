import LocalhostClient
import Testing
import UsherHTTP
import UsherJSON

/// A server under test, whichever way its requests travel.
final class Stage {
    let lines: LogLines
    private let respond: (Request) async throws -> Response

    init(lines: LogLines, respond: @escaping (Request) async throws -> Response) {
        self.lines = lines
        self.respond = respond
    }

    /// Sends a request.
    ///
    /// - Parameter asOperator: Set unless it is to go without the operator's token, where that is asked for.
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

    /// Opens a session and walks it.
    func open(_ app: String, options: String? = nil) async throws -> Walk {
        let body = options.map { #"{"app":"\#(app)","options":\#($0)}"# } ?? #"{"app":"\#(app)"}"#
        let answer = try await request(.post, "/sessions", body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return try Walk(on: self, opened: answer)
    }
}
