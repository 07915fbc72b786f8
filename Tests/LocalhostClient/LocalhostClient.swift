/// A client of one server on this machine that keeps its connection.
public final class LocalhostClient {
    /// The operator's token of servers under test.
    public static let operatorToken = "the-operator-of-tests"

    /// The port that it connects to.
    public let port: Int
    private let token: String?
    private let host: UInt8?
    private let timeout: Int
    private var connection: RawConnection?

    /// A client of the server on a port of 127.0.0.1; it connects at the first request.
    ///
    /// - Parameters:
    ///   - token: Opens what is the operator's; nil for a client who is not.
    ///   - host: The last number of the address 127.0.0.N that it comes from; the system's choice unless told.
    ///   - timeout: The seconds that it waits for an answer.
    public init(
        port: Int, token: String? = LocalhostClient.operatorToken, from host: UInt8? = nil, timeout: Int = 30
    ) {
        self.port = port
        self.token = token
        self.host = host
        self.timeout = timeout
    }

    /// True of a path that is the operator's, or the backend's, who may do less.
    public static func isOperators(_ path: String) -> Bool {
        ["/admin", "/metrics", "/apps"].contains { path.hasPrefix($0) } || path.hasSuffix("/messages")
    }

    /// Sends a request and reads its response, on a new connection if the one before was closed.
    ///
    /// - Parameters:
    ///   - path: the target as it stands in the request line.
    ///   - headers: `Host`, the operator's `Authorization`, `Content-Length` and `Content-Type: application/json` are added unless given.
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
    /// Nobody listens on the port, or the system has no socket left.
    case cannotConnect(errorNumber: Int32)
    /// The peer took nothing more.
    case cannotSend(errorNumber: Int32)
    /// Nothing came for as long as the client waits.
    case timedOut
    /// The connection ended before the response did; says how many bytes had come.
    case closed(bytes: Int)
    /// The bytes that came are no HTTP response.
    case malformed(String)
}
