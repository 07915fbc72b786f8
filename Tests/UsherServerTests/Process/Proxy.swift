import Glibc
import LocalhostClient
import Programs
import Testing

/// A proxy that listens on a socket in a folder, with the minimal configuration of its documentation.
enum Proxy: CaseIterable {
    case nginx, haproxy

    /// An additional setting of the configuration.
    enum Setting {
        /// No additional setting.
        case plain
        /// The proxy compresses responses: nginx those of the listed types, HAProxy all.
        case compressing
        /// The proxy caches responses, even those without caching fields.
        case caching
    }

    /// Runs a server behind the proxy, with a client.
    func serve(
        _ setting: Setting = .plain, _ options: String..., body: (_ client: ProxyClient) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let server = try Program(
            usher: [
                "serve", "--port", "0", "--journal", "memory", "--session-access", "token", "--public-url",
                "https://usher.example",
            ] + options)
        let port = try #require(server.readPort())
        try folder.write(Array(configuration(folder, port, setting).utf8), to: "configuration")
        let front = try Program(command(folder), errors: .nowhere)
        let client = ProxyClient(socket: folder("socket"))
        while try client.send("/healthz").status != 200 { try Task.checkCancellation() }
        try body(client)
        front.send(SIGTERM)
        _ = front.finish()
        server.send(SIGTERM)
        #expect(server.finish().status == 0)
    }

    private func command(_ folder: TemporaryFolder) -> [String] {
        // The system's programs are often not in a user's path.
        let path = "PATH=\(Program.environment["PATH"] ?? ""):/usr/sbin:/sbin"
        return switch self {
        case .nginx: ["env", path, "nginx", "-p", folder.path, "-c", folder("configuration")]
        case .haproxy: ["env", path, "haproxy", "-db", "-q", "-f", folder("configuration")]
        }
    }

    /// Only the names of files and the foreground mode are the test's; the rest is from the documentation.
    private func configuration(_ folder: TemporaryFolder, _ port: Int, _ setting: Setting) -> String {
        switch self {
        case .nginx:
            """
            daemon off; pid \(folder("pid")); error_log \(folder("error")); events {}
            http {
                access_log off;
                client_body_temp_path \(folder("body")); proxy_temp_path \(folder("proxy"));
                fastcgi_temp_path \(folder("fastcgi")); uwsgi_temp_path \(folder("uwsgi"));
                scgi_temp_path \(folder("scgi"));
                \(nginxLines(folder, setting))
                server { listen unix:\(folder("socket")); location / { proxy_pass http://127.0.0.1:\(port); } }
            }

            """
        case .haproxy:
            """
            defaults
                mode http
                timeout connect 5s
                timeout client 20s
                timeout server 20s
            frontend all
                bind unix@\(folder("socket"))
                default_backend usher
            backend usher
                \(setting == .compressing ? "compression algo gzip" : "")
                server usher 127.0.0.1:\(port)

            """
        }
    }

    private func nginxLines(_ folder: TemporaryFolder, _ setting: Setting) -> String {
        switch setting {
        case .plain: ""
        case .compressing: "gzip on; gzip_types application/json;"
        case .caching:
            """
            proxy_cache_path \(folder("cache")) keys_zone=all:1m; proxy_cache all; proxy_cache_valid any 10m;
                add_header X-Cache $upstream_cache_status always;
            """
        }
    }
}

/// A client of a server behind a proxy: curl, which connects to the proxy's socket.
///
/// The client sends the token of the session that it has opened.
final class ProxyClient {
    /// A response as it was received.
    struct Answer {
        /// The head and the body.
        let text: String

        /// The status; nil if there was no response.
        var status: Int? {
            let words = text.split(separator: " ", maxSplits: 2)
            return words.count > 1 ? Int(words[1]) : nil
        }

        /// Returns the first value of a field.
        subscript(field: String) -> String? {
            let name = "\(field): ".lowercased()
            let line = lines.dropFirst().prefix { !$0.isEmpty }.first { $0.lowercased().hasPrefix(name) }
            return line.map { String($0.dropFirst(name.count)) }
        }

        /// The last line, which is a JSON body.
        var body: Substring { lines.last ?? "" }

        private var lines: [Substring] { text.split(separator: "\r\n", omittingEmptySubsequences: false) }
    }

    /// The arguments with which curl connects to the proxy.
    private let route: [String]
    /// The part of the URL before the path.
    private let origin: String
    private var token: String?

    /// Creates a client of a proxy on a socket.
    init(socket: String) {
        route = ["--unix-socket", socket]
        origin = "http://usher.example"
    }

    /// Creates a client of a proxy on a port, which uses TLS.
    ///
    /// - Parameter certificate: The file of the only trusted certificate.
    init(port: Int, certificate: String) {
        route = ["--resolve", "usher.example:\(port):127.0.0.1", "--cacert", certificate]
        origin = "https://usher.example:\(port)"
    }

    /// The request field for JSON.
    static let json = ["Content-Type: application/json"]

    /// Returns the command that sends a request.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - fields: The fields as lines.
    ///   - body: The body of a `POST`.
    ///   - more: Additional arguments of curl.
    func command(_ path: String, _ fields: [String] = [], body: String? = nil, _ more: [String] = []) -> [String] {
        // The proxy may not listen yet.
        [
            "curl", "--silent", "--include", "--max-time", "20", "--retry", "100", "--retry-connrefused",
            "--retry-delay", "0", "--retry-max-time", "20", "\(origin)\(path)",
        ] + route + authorization(of: path) + fields.flatMap { ["--header", $0] }
            + (body.map { ["--data", $0] } ?? []) + more
    }

    /// Sends a request.
    func send(
        _ path: String, _ fields: [String] = [], body: String? = nil, method: String? = nil
    ) throws -> Answer {
        let more = method.map { ["--request", $0] } ?? []
        return Answer(text: try Program.run(command(path, fields, body: body, more)).output)
    }

    private func authorization(of path: String) -> [String] {
        guard path.hasPrefix("/sessions/"), let token else { return [] }
        return ["--header", "Authorization: Bearer \(token)"]
    }

    /// Opens a session, and returns its path.
    func open(_ body: String = #"{"app":"hello-bye","options":{"greeting":false}}"#) throws -> String {
        let answer = try send("/sessions", Self.json, body: body)
        token = answer.body.firstRange(of: #""token":""#).map { range in
            String(answer.body[range.upperBound...].prefix { $0 != "\"" })
        }
        return try #require(answer["Location"])
    }
}

extension Program {
    /// Waits for the next event of the stream that the program reads.
    ///
    /// - Returns: The lines up to the event's data; for the first event, with the head of the response.
    func readEvent() -> [String] {
        var lines: [String] = []
        repeat {
            let line = readLine()
            lines.append(line.hasSuffix("\r") ? String(line.dropLast()) : line)
        } while lines.last?.hasPrefix("data:") == false && lines.count <= 100
        return lines
    }
}
