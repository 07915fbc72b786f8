import MicroHTTPD
import UsherHTTP

/// Runs a body against a daemon of its own on a free port, whose URL it is given, and stops it.
func serving(
    _ handler: @escaping @Sendable (Request) async -> Response = describe, _ body: (String) async throws -> Void
) async throws {
    let daemon = try Daemon(.test, handler: handler)
    do {
        try await body("http://127.0.0.1:\(daemon.port)")
    } catch {
        await daemon.stop()
        throw error
    }
    await daemon.stop()
}

/// Says what it was sent: method, path, query and the body's size, then the names of the header fields, one a line.
@Sendable func describe(_ request: Request) async -> Response {
    let line = "\(request.method.rawValue) \(request.path) \(request.query ?? "-") \(request.body.count)"
    return .text(([line] + request.headers.map { $0.name }).joined(separator: "\n"))
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
