import MicroHTTPD
import UsherFuture
import UsherHTTP

/// The operator's own listener: every client that reaches it is the operator.
package enum AdminListener: Equatable, Sendable {
    /// A port of an address; 0 selects a free port.
    case port(host: String, port: Int)
    /// A Unix socket that only its owner may connect to.
    case socket(path: String)

    /// Parses the value of `--admin-listen`.
    init(_ text: String) throws(UsageError) {
        if text.hasPrefix("unix:"), case let path = String(text.dropFirst("unix:".count)), !path.isEmpty {
            self = .socket(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            text[..<colon] == "localhost" || Self.isAddress(text[..<colon])
        else {
            throw UsageError(
                "--admin-listen takes an address with a port such as 127.0.0.1:9090 or [::1]:9090, or unix:PATH, not \"\(text)\""
            )
        }
        self = .port(host: text[..<colon].withoutBrackets, port: Int(port))
    }

    private static func isAddress(_ text: Substring) -> Bool {
        NetworkAddress(text.withoutBrackets) != nil && text.hasPrefix("[") != text.contains(".")
    }

    /// The error if the server cannot listen at the address.
    package struct Failure: Error, CustomStringConvertible {
        /// A sentence that says what is wrong and what to do.
        package let description: String
    }

    /// The address in the form of `--admin-listen`; nil if other machines cannot reach the listener.
    var openAddress: String? {
        guard case .port(let host, let port) = self, !HostPolicy.isLoopback(host) else { return nil }
        return "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The address as it is known before the listener starts; nil if the system will choose the port.
    var fixedAddress: String? {
        if case .port(_, 0) = self { return nil }
        guard case .port(_, let port) = self else { return address(port: 0) }
        return address(port: port)
    }

    /// Starts to listen; throws `Failure`, which names the option.
    ///
    /// `refused` is called with each response to a request that never reaches `reply`, and with the request's fields.
    /// It returns the response, possibly with more fields.
    func start(
        keepAlive: Duration, refused: @escaping @Sendable (Response, HeaderFields) -> Response,
        reply: @escaping @Sendable (Request) -> Future<Response>
    ) throws(Failure) -> Daemon {
        do throws(DaemonError) {
            var configuration = daemon
            configuration.deadlines.idle = keepAlive
            return try Daemon(configuration, refused: refused, reply: reply)
        } catch {
            throw Failure(description: "\(error.cause); choose another place with --admin-listen")
        }
    }

    /// Returns the URL for clients; if the option's port is 0, `port` is the port that the system chose.
    func address(port: Int) -> String {
        switch self {
        case .port(let host, _): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }

    /// The daemon's address and threads; one thread is enough for the operator.
    private var daemon: DaemonConfiguration {
        var configuration = DaemonConfiguration()
        switch self {
        case .port(let host, let port): (configuration.host, configuration.port) = (host, port)
        case .socket(let path): configuration.socketPath = path
        }
        configuration.bodyLimits = AdminEndpoints.bodyLimits
        configuration.threads = 1
        configuration.connectionLimit = 100
        return configuration
    }

    /// Returns the check of `Host`, which rejects foreign names that resolve to the listener.
    func hosts(allowing allowed: [String]) -> HostPolicy {
        switch self {
        case .port(let host, _): HostPolicy(boundTo: host, allowing: allowed)
        case .socket: HostPolicy(boundTo: "localhost", allowing: allowed)
        }
    }
}
