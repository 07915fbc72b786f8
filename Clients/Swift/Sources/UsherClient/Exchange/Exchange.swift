import Foundation
import Synchronization

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

    /// The token of the session, which all copies of an exchange share, and a rotation replaces.
    private final class Token: Sendable {
        let value: Mutex<String?>

        init(_ token: String?) {
            value = Mutex(token)
        }
    }

    let platform: Platform
    private let server: String
    private let headers: @Sendable () -> [String: String]
    private let shared: Token

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
        shared = Token(token)
    }

    /// The session's token, where it has one; it goes with each request from now on.
    var token: String? {
        get { shared.value.withLock { $0 } }
        nonmutating set { shared.value.withLock { $0 = newValue } }
    }

    /// Sends a request, and reads the answer.
    ///
    /// - Returns: The answer's head, and the whole body.
    /// - Throws: A `Problem`, or a `CancellationError`.
    @discardableResult
    func ask(_ request: Request) async throws -> (head: TransportResponse, body: Data) {
        do {
            return try await platform.within(request.patience) {
                let response = try await begin(request)
                return (response, try await response.wholeBody())
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw Problem(error)
        }
    }

    /// Sends a request whose answer is a session's state.
    ///
    /// - Throws: A `Problem`, also where the answer was cut or is none, or a `CancellationError`.
    func askForState(_ request: Request) async throws -> Snapshot {
        guard let snapshot = try await askForNews(request) else { throw Problem.unanswered("the answer is empty") }
        return snapshot
    }

    /// Sends a request whose answer is a session's state; nil where the server has that which the request names.
    ///
    /// - Throws: A `Problem`, also where the answer was cut or is none, or a `CancellationError`.
    func askForNews(_ request: Request) async throws -> Snapshot? {
        let (head, body) = try await ask(request)
        if head.status == 304 { return nil }
        do {
            return try Snapshot(body, of: head)
        } catch {
            throw Problem.unanswered("the answer cannot be read: \(error)")
        }
    }

    /// Sends a request, and answers when the head has come, and is 2xx or 304.
    ///
    /// One that a rotation of the token has overtaken goes again with the new one.
    ///
    /// - Throws: A `Problem`; what the transport throws is none yet.
    func begin(_ request: Request) async throws -> TransportResponse {
        while true {
            let token = token
            let response = try await platform.transport.begin(message(of: request, token: token))
            if 200..<300 ~= response.status || response.status == 304 { return response }
            let problem = Problem(
                status: response.status, body: try await response.wholeBody(), retryAfter: response.retryAfter,
                tag: response.header("etag"))
            if !problem.isDenied || token == self.token { throw problem }
        }
    }

    private func message(of request: Request, token: String?) throws -> TransportRequest {
        var message = TransportRequest(method: request.method, url: "\(server)/\(request.path)")
        message.headers["Accept"] = "application/json"
        if let body = request.body {
            message.headers["Content-Type"] = "application/json"
            message.body = try JSONEncoder().encode(body)
        }
        message.headers.merge(headers()) { _, own in own }
        if let token {
            // However the app writes the field's name: of two, the one that counts would be a matter of chance.
            message.headers = message.headers.filter { $0.key.lowercased() != "authorization" }
            message.headers["Authorization"] = "Bearer \(token)"
        }
        message.headers.merge(request.headers) { _, own in own }
        return message
    }
}
