import Glibc
import LocalhostClient
import Programs
import Testing

/// The proxies that servers stand behind most, as `script/bootstrap test` installs them.
@Suite("Behind a proxy in its shortest configuration", .blocking, .timeLimit(.minutes(5)))
struct ProxyTests {
    /// A proxy that listens on a socket in a folder.
    enum Proxy: CaseIterable {
        case nginx, haproxy

        func command(_ folder: TemporaryFolder, _ port: Int) throws -> [String] {
            try folder.write(Array(configuration(folder, port).utf8), to: "configuration")
            // Programs of the system's are often not in a user's path.
            let path = "PATH=\(Program.environment["PATH"] ?? ""):/usr/sbin:/sbin"
            return switch self {
            case .nginx: ["env", path, "nginx", "-p", folder.path, "-c", folder("configuration")]
            case .haproxy: ["env", path, "haproxy", "-db", "-q", "-f", folder("configuration")]
            }
        }

        /// What names files and the foreground is the test's; the rest is what documents begin with.
        private func configuration(_ folder: TemporaryFolder, _ port: Int) -> String {
            switch self {
            case .nginx:
                """
                daemon off; pid \(folder("pid")); error_log \(folder("error")); events {}
                http {
                    access_log off;
                    client_body_temp_path \(folder("body")); proxy_temp_path \(folder("proxy"));
                    fastcgi_temp_path \(folder("fastcgi")); uwsgi_temp_path \(folder("uwsgi"));
                    scgi_temp_path \(folder("scgi"));
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
                    server usher 127.0.0.1:\(port)

                """
            }
        }
    }

    @Test(arguments: Proxy.allCases)
    func `what is looked inside is closed, and opens to the token`(proxy: Proxy) throws {
        try serve(behind: proxy) { send throws in
            for path in ["/metrics", "/apps", "/admin/sessions"] {
                let answer = try send([path])
                #expect(answer.status == 401, "\(path)")
                #expect(!answer.text.contains("usher_sessions"))
                #expect(answer.text.lowercased().contains("cache-control: no-store"))
            }
            let token = "Authorization: Bearer \(LocalhostClient.operatorToken)"
            #expect(try send(["/metrics", "--header", token]).status == 200)
            #expect(
                try send(["/admin/sessions", "--header", token, "--header", "X-Forwarded-For: 1.2.3.4"]).status == 200)
            // A field that a client makes up opens nothing.
            for field in ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Real-IP: 127.0.0.1"] {
                #expect(try send(["/admin/sessions", "--header", field]).status == 401)
            }
        }
    }

    @Test(arguments: Proxy.allCases)
    func `sessions and health are answered, and the page of a public address logs in`(proxy: Proxy) throws {
        try serve(behind: proxy) { send throws in
            #expect(try send(["/readyz"]).status == 200)
            let json = ["--header", "Content-Type: application/json", "--header", "Origin: https://usher.example"]
            #expect(try send(["/sessions", "--data", #"{"app":"hello-bye"}"#] + json).status == 201)
            let login = try send(["/login", "--data", #"{"token":"\#(LocalhostClient.operatorToken)"}"#] + json)
            #expect(login.status == 204)
            let field = try #require(
                login.text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") })
            #expect(field.hasSuffix("; Secure"))
            let cookie = field.dropFirst("set-cookie: ".count).prefix { $0 != ";" }
            #expect(try send(["/metrics", "--header", "Cookie: \(cookie)"]).status == 200)
        }
    }

    /// Sends requests with curl through a proxy to a server.
    private func serve(
        behind proxy: Proxy, _ body: ((_ arguments: [String]) throws -> (status: Int?, text: String)) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let server = try Program(usher: [
            "serve", "--port", "0", "--journal", "memory", "--public-url", "https://usher.example",
        ])
        let port = try #require(server.readPort())
        let command = try proxy.command(folder, port)
        let front = try Program(command, errors: .nowhere)
        func send(_ arguments: [String]) throws -> (status: Int?, text: String) {
            // The proxy may not listen yet.
            let end = try Program.run(
                [
                    "curl", "--silent", "--include", "--max-time", "20", "--retry", "100", "--retry-connrefused",
                    "--retry-delay", "0", "--retry-max-time", "20", "--unix-socket", folder("socket"),
                    "http://usher.example\(arguments[0])",
                ] + arguments.dropFirst())
            let words = end.output.split(separator: " ", maxSplits: 2)
            return (words.count > 1 ? Int(words[1]) : nil, end.output)
        }
        while try send(["/healthz"]).status != 200 { try Task.checkCancellation() }
        try body(send)
        front.send(SIGTERM)
        _ = front.finish()
        server.send(SIGTERM)
        #expect(server.finish().status == 0)
    }
}
