import LocalhostClient
import MicroHTTPD
import UsherHTTP

/// Runs a body against a daemon of its own on a free port, and stops it.
func serving(
    _ configuration: Daemon.Configuration = .test, by waiting: Waiting = .task,
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

extension Daemon.Configuration {
    /// Two threads whatever the machine, and no wait for idle clients at the end.
    static var test: Daemon.Configuration {
        var configuration = Daemon.Configuration()
        configuration.threads = 2
        configuration.deadlines.linger = .zero
        return configuration
    }
}
