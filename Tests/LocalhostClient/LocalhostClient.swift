/// A client of one server on this machine, which keeps its connection open.
public final class LocalhostClient {
    /// The operator's token of servers under test.
    public static let operatorToken = "the-operator-of-tests"

    /// The port that the client connects to.
    public let port: Int
    private let token: String?
    private let host: UInt8?
    private let timeout: Int
    private var connection: RawConnection?

    /// Creates a client for the server on a port of 127.0.0.1, which connects at the first request.
    ///
    /// - Parameters:
    ///   - token: The operator's token; nil for a client without it.
    ///   - host: The last number of the client's address 127.0.0.N; by default, the system chooses the address.
    ///   - timeout: The number of seconds to wait for a response.
    public init(
        port: Int, token: String? = LocalhostClient.operatorToken, from host: UInt8? = nil, timeout: Int = 30
    ) {
        self.port = port
        self.token = token
        self.host = host
        self.timeout = timeout
    }

    /// Returns `true` for paths of the operator or the backend, which has fewer rights.
    public static func isOperators(_ path: String) -> Bool {
        ["/admin", "/metrics", "/apps"].contains { path.hasPrefix($0) } || path.hasSuffix("/messages")
    }

    /// Sends a request and reads its response, on a new connection if the previous one was closed.
    ///
    /// - Parameters:
    ///   - path: The target, as it is written in the request line.
    ///   - headers: The fields. `Host`, the operator's `Authorization`, `Content-Length` and `Content-Type:
    ///     application/json` are added if they are missing.
    public func request(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String? = nil
    ) throws(ClientError) -> RawResponse {
        let used = try open()
        try used.send(message(method, path, headers, body))
        let response = try used.readResponse(toHead: method == "HEAD")
        if response["Connection"]?.lowercased() != "close" { connection = used }
        return response
    }

    private func open() throws(ClientError) -> RawConnection {
        defer { connection = nil }
        if let connection, !connection.isOver { return connection }
        return try RawConnection(port: port, from: host, timeout: timeout)
    }

    private func message(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: String?
    ) -> String {
        let given = Set(headers.map { $0.0.lowercased() })
        var lines = ["\(method) \(path) HTTP/1.1"]
        if !given.contains("host") { lines.append("Host: 127.0.0.1:\(port)") }
        if let token, Self.isOperators(path), !given.contains("authorization") {
            lines.append("Authorization: Bearer \(token)")
        }
        lines += headers.map { "\($0): \($1)" }
        if let body {
            if !given.contains("content-length") { lines.append("Content-Length: \(body.utf8.count)") }
            if !given.contains("content-type") { lines.append("Content-Type: application/json") }
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}

/// The reason why a request over localhost got no response.
public enum ClientError: Error, Equatable {
    /// Nothing listens on the port, or the system has no free socket.
    case cannotConnect(errorNumber: Int32)
    /// The peer does not accept more bytes.
    case cannotSend(errorNumber: Int32)
    /// Nothing arrived before the timeout.
    case timedOut
    /// The connection ended before the response was complete, after a number of bytes.
    case closed(bytes: Int)
    /// The received bytes are no HTTP response.
    case malformed(String)
}
