import Foundation

/// The exchange of requests for answers: one attempt each, which comes to a whole answer or to a `Problem`.
struct Exchange: Sendable {
    /// A request to the server, whatever its address.
    struct Request: Sendable {
        var method = "GET"
        /// The path below the server's address.
        var path: String
        var body: JSON?
        var headers: [String: String] = [:]
        /// The time for the whole answer: an event's may wait five seconds for its effects, and a journal's commit comes
        /// on top.
        var patience = Duration.seconds(30)

        /// Asks for another time that the answer may wait for effects (RFC 7240), and gives it that much longer.
        mutating func prefer(wait seconds: Int) {
            headers["Prefer"] = seconds == 0 ? "respond-async" : "wait=\(seconds)"
            patience += .seconds(seconds)
        }
    }

    let platform: Platform
    private let server: String
    private let headers: @Sendable () -> [String: String]
    private let token: String?

    /// - Parameters:
    ///   - headers: The fields of each request.
    ///   - token: The session's, where it has one.
    init(
        to server: URL, on platform: Platform, headers: @escaping @Sendable () -> [String: String], token: String? = nil
    ) {
        var address = server.absoluteString
        while address.hasSuffix("/") { address.removeLast() }
        self.server = address
        self.platform = platform
        self.headers = headers
        self.token = token
    }

    /// Sends a request, and reads the answer.
    ///
    /// - Returns: The body; nil where it is empty, or the status 304.
    /// - Throws: A `Problem`, or a `CancellationError`.
    func ask(_ request: Request) async throws -> Data? {
        do {
            let body: Data? = try await platform.within(request.patience) {
                let response = try await begin(request)
                let body = try await response.wholeBody()
                return response.status == 304 || body.isEmpty ? nil : body
            }
            return body
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw Problem(error)
        }
    }

    /// Sends a request whose answer is a session's state, or more than that.
    ///
    /// - Throws: A `Problem`, also where the answer was cut or is none, or a `CancellationError`.
    func askForState<Answer: Decodable>(_ request: Request, as type: Answer.Type = SessionState.self) async throws
        -> Answer
    {
        guard let body = try await ask(request) else { throw Problem.unanswered("the answer is empty") }
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw Problem.unanswered("the answer cannot be read: \(error)")
        }
    }

    /// Sends a request, and answers when the head has come, and is 2xx or 304.
    ///
    /// - Throws: A `Problem`; what the transport throws is none yet.
    func begin(_ request: Request) async throws -> TransportResponse {
        var message = TransportRequest(method: request.method, url: "\(server)/\(request.path)")
        message.headers["Accept"] = "application/json"
        if let body = request.body {
            message.headers["Content-Type"] = "application/json"
            message.body = try JSONEncoder().encode(body)
        }
        message.headers.merge(headers()) { _, own in own }
        if let token { message.headers["Authorization"] = "Bearer \(token)" }
        message.headers.merge(request.headers) { _, own in own }
        let response = try await platform.transport.begin(message)
        if 200..<300 ~= response.status || response.status == 304 { return response }
        let pause = response.header("retry-after").flatMap(Int.init).map { Duration.seconds(max($0, 0)) }
        throw Problem(status: response.status, body: try await response.wholeBody(), retryAfter: pause ?? .zero)
    }
}
