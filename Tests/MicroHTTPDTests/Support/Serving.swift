import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherFuture
import UsherHTTP

/// Runs a closure with a new daemon on a free port, and stops the daemon.
func serving(
    _ configuration: DaemonConfiguration = .test, by waiting: Waiting = .task,
    _ handler: @escaping @Sendable (Request) async -> Response = echo,
    _ body: (Int) async throws -> Void
) async throws {
    let daemon = try Daemon(configuration, reply: waiting.reply(handler))
    let outcome = await BlockingThreads.run { () -> Result<Void, any Error> in
        do { return .success(try await body(daemon.port)) } catch { return .failure(error) }
    }
    await daemon.stop()
    try outcome.get()
}

/// Responds with the received method, path, query, host and body, one per line.
@Sendable func echo(_ request: Request) async -> Response {
    let lines = [
        request.method.rawValue, request.path, request.query ?? "-", request.headers["Host"] ?? "-",
        String(decoding: request.body, as: UTF8.self),
    ]
    return .text(lines.joined(separator: "\n"))
}

extension DaemonConfiguration {
    /// A configuration with two threads on any machine, and without a wait for idle clients at the end.
    static var test: DaemonConfiguration {
        var configuration = DaemonConfiguration()
        configuration.threads = 2
        configuration.deadlines.linger = .zero
        return configuration
    }
}

/// The ways to wait for a response.
enum Waiting: CaseIterable {
    /// By a task of the request.
    case task
    /// Without a wait: the response arrives, perhaps before the handler returns.
    case arrival

    func reply(_ handler: @escaping @Sendable (Request) async -> Response) -> @Sendable (Request) -> Future<Response> {
        switch self {
        case .task: { request in .async { await handler(request) } }
        case .arrival:
            { request in
                let arrival = Arrival()
                Task.immediate { arrival.come(await handler(request)) }
                return .after(arrival) { arrival.response }
            }
        }
    }
}

/// The arrival of a response that no task waits for.
private final class Arrival: Completable {
    private let state = Mutex<(response: Response?, waiting: (@Sendable () -> Void)?)>((nil, nil))

    /// The response after its arrival.
    var response: Response { state.withLock { $0.response } ?? Response(status: .internalServerError) }

    func come(_ response: Response) {
        state.withLock { state in
            state.response = response
            return state.waiting.take()
        }?()
    }

    func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if state.response == nil { state.waiting = body }
            return state.response != nil
        }
        if isDone { body() }
    }
}

/// Returns a request without a body.
func get(_ path: String = "/") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
}

/// Sends a message on a new connection, and reads the response.
func answer(to message: String, port: Int) throws -> RawResponse {
    let connection = try RawConnection(port: port)
    try connection.send(message)
    return try connection.readResponse(toHead: message.hasPrefix("HEAD "))
}

/// An error response on the wire: the status, a problem, and the connection's end.
private struct WireRefusal: Equatable {
    var status: Int
    var contentType: String?
    var isClosed: Bool

    init(_ status: Int) {
        self.status = status
        contentType = "application/problem+json"
        isClosed = true
    }

    /// Sends a message, and reads the error response.
    init(of message: String, port: Int) throws {
        let connection = try RawConnection(port: port)
        try connection.send(message)
        let response = try connection.readResponse()
        status = response.status
        contentType = response["Content-Type"]
        isClosed = connection.closedByPeer
    }
}

/// Expects that a new daemon rejects a message with a complete error response.
func expectRefusal(
    of message: String, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await serving { port throws in
        let refusal = try WireRefusal(of: message, port: port)
        #expect(refusal == WireRefusal(status), sourceLocation: sourceLocation)
    }
}
