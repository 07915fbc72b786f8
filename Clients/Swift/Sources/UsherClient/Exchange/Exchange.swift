import Foundation
import Synchronization

/// Sends requests: one attempt each, which returns a complete response or throws a `Problem`.
struct Exchange: Sendable {
    /// A request, without the server's address.
    struct Request: Sendable {
        var method = "GET"
        /// The path below the server's address.
        var path: String
        var body: JSON?
        var headers: [String: String] = [:]
        /// The time limit for the whole response.
        ///
        /// The response to an event may wait five seconds for its effects, and for a commit after that.
        var patience = Duration.seconds(30)

        /// Sets how long the response may wait for effects (RFC 7240), and extends the time limit accordingly.
        mutating func prefer(wait seconds: Int) {
            headers["Prefer"] = seconds == 0 ? "respond-async" : "wait=\(seconds)"
            patience += .seconds(seconds)
        }
    }

    /// The session's token, which all copies of an exchange share and a rotation replaces.
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
    ///   - headers: The header fields of each request.
    ///   - token: The session's token, if it has one.
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

    /// The session's token, which is sent with each following request.
    var token: String? {
        get { shared.value.withLock { $0 } }
        nonmutating set { shared.value.withLock { $0 = newValue } }
    }

    /// Sends a request and reads the response.
    ///
    /// - Returns: The response's head and its whole body.
    /// - Throws: A `Problem` or a `CancellationError`.
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

    /// Sends a request whose response is a session's state.
    ///
    /// - Throws: A `Problem`, also if the response is incomplete or is not a state, or a `CancellationError`.
    func askForState(_ request: Request) async throws -> Snapshot {
        guard let snapshot = try await askForNews(request) else { throw Problem.unanswered("the answer is empty") }
        return snapshot
    }

    /// Sends a request whose response is a session's state, or nil if the state has not changed (304).
    ///
    /// - Throws: A `Problem`, also if the response is incomplete or is not a state, or a `CancellationError`.
    func askForNews(_ request: Request) async throws -> Snapshot? {
        let (head, body) = try await ask(request)
        if head.status == 304 { return nil }
        do {
            return try Snapshot(body, of: head)
        } catch {
            throw Problem.unanswered("the answer cannot be read: \(error)")
        }
    }

    /// Sends a request and returns the response's head if its status is 2xx or 304.
    ///
    /// A request that was denied because the token was rotated meanwhile is sent again with the new token.
    ///
    /// - Throws: A `Problem`, or an error of the transport.
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
            // Remove the field in any letter case: of two such fields, a server may use either.
            message.headers = message.headers.filter { $0.key.lowercased() != "authorization" }
            message.headers["Authorization"] = "Bearer \(token)"
        }
        message.headers.merge(request.headers) { _, own in own }
        return message
    }
}
