import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherFuture
import UsherHTTP

/// Runs a body against a daemon of its own on a free port, and stops it.
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

/// Says what it was sent: method, path, query, host and body, one a line.
@Sendable func echo(_ request: Request) async -> Response {
    let lines = [
        request.method.rawValue, request.path, request.query ?? "-", request.headers["Host"] ?? "-",
        String(decoding: request.body, as: UTF8.self),
    ]
    return .text(lines.joined(separator: "\n"))
}

extension DaemonConfiguration {
    /// Two threads whatever the machine, and no wait for idle clients at the end.
    static var test: DaemonConfiguration {
        var configuration = DaemonConfiguration()
        configuration.threads = 2
        configuration.deadlines.linger = .zero
        return configuration
    }
}

/// The ways in which a response can be waited for.
enum Waiting: CaseIterable {
    /// By a task of the request's own.
    case task
    /// By nobody: it arrives, maybe before the handler has come back.
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

/// The arrival of a response that nobody waits for.
private final class Arrival: Completable {
    private let state = Mutex<(response: Response?, waiting: (@Sendable () -> Void)?)>((nil, nil))

    /// The response, once it has come.
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

/// A request that has no body.
func get(_ path: String = "/") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
}

/// Sends a message on a connection of its own and reads the response.
func answer(to message: String, port: Int) throws -> RawResponse {
    let connection = try RawConnection(port: port)
    try connection.send(message)
    return try connection.readResponse(toHead: message.hasPrefix("HEAD "))
}

/// A refusal as it must look on the wire: the status, a problem, and the connection's end.
private struct WireRefusal: Equatable {
    var status: Int
    var contentType: String?
    var isClosed: Bool

    init(_ status: Int) {
        self.status = status
        contentType = "application/problem+json"
        isClosed = true
    }

    /// Sends a message and notes how it was refused.
    init(of message: String, port: Int) throws {
        let connection = try RawConnection(port: port)
        try connection.send(message)
        let response = try connection.readResponse()
        status = response.status
        contentType = response["Content-Type"]
        isClosed = connection.closedByPeer
    }
}

/// Expects that a daemon of its own refuses a message, as it does all that it refuses.
func expectRefusal(
    of message: String, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await serving { port throws in
        let refusal = try WireRefusal(of: message, port: port)
        #expect(refusal == WireRefusal(status), sourceLocation: sourceLocation)
    }
}
