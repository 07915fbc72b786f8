import Foundation
import Glibc
import LocalhostClient
import Programs
import ServerCluster
import Testing

/// A proxy with a configuration file from `deploy`, in front of a server that is started as the file says.
enum DeployedProxy: String {
    case nginx, haproxy, caddy

    /// The proxy does not start, for the reason in its log.
    private struct StartError: Error {
        let reason: String
    }

    /// Whether the program is installed.
    var isInstalled: Bool {
        (try? Program.run(["env", Self.path, "sh", "-c", "command -v \(rawValue)"]))?.status == 0
    }

    /// Runs a server behind the proxy, with a client that uses TLS.
    func serve(_ options: String..., body: (_ client: ProxyClient) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try Self.makeCertificate(in: folder)
        let server = try Program(
            usher: [
                "serve", "--port", "0", "--journal", "memory", "--session-access", "token", "--public-url",
                "https://usher.example", "--trusted-proxy", "127.0.0.1",
            ] + options)
        let (front, client) = try start(before: try #require(server.readPort()), in: folder)
        try body(client)
        front.send(SIGTERM)
        _ = front.finish()
        server.send(SIGTERM)
        #expect(server.finish().status == 0)
    }

    /// Starts the proxy on a free port.
    ///
    /// Another program may take the port first, so the proxy must prove its identity with its certificate.
    private func start(before port: Int, in folder: TemporaryFolder) throws -> (Program, ProxyClient) {
        for _ in 0..<8 {
            let address = try FrontProxy.freePort()
            try folder.write(Array(try configuration(at: address, before: port, folder).utf8), to: "configuration")
            let front = try Program(command(folder), errors: .file(folder("log")))
            let client = ProxyClient(port: address, certificate: folder("certificate.pem"))
            for _ in 0..<100 {
                let answer = try Program.run(client.command("/healthz", [], ["--retry", "0"]))
                if ProxyClient.Answer(text: answer.output).status == 200 { return (front, client) }
                usleep(30_000)
            }
            front.kill()
        }
        throw StartError(reason: String(decoding: folder.bytes(of: "log"), as: UTF8.self))
    }

    private func command(_ folder: TemporaryFolder) -> [String] {
        let home = ["env", Self.path, "HOME=\(folder.path)", "XDG_DATA_HOME=\(folder.path)"]
        return switch self {
        case .nginx: home + ["nginx", "-p", folder.path, "-c", folder("configuration"), "-e", "stderr"]
        case .haproxy: home + ["haproxy", "-db", "-q", "-f", folder("configuration")]
        case .caddy: home + ["caddy", "run", "--adapter", "caddyfile", "--config", folder("configuration")]
        }
    }

    /// Returns the configuration with the test's addresses and paths, and with the usual nginx file around it.
    private func configuration(at address: Int, before port: Int, _ folder: TemporaryFolder) throws -> String {
        let server = ("127.0.0.1:8080", "127.0.0.1:\(port)")
        switch self {
        case .nginx:
            try folder.write(
                Array(
                    try Self.file(
                        "nginx.conf",
                        [
                            server, ("listen 443", "listen 127.0.0.1:\(address)"),
                            ("listen [::]:443", "listen unix:\(folder("socket"))"),
                            ("/etc/ssl/certs/usher.example.pem", folder("certificate.pem")),
                            ("/etc/ssl/private/usher.example.key", folder("key.pem")),
                        ]
                    ).utf8), to: "usher.conf")
            return """
                daemon off; pid \(folder("pid")); error_log stderr; events {}
                http {
                    access_log off;
                    client_body_temp_path \(folder("body")); proxy_temp_path \(folder("proxy"));
                    fastcgi_temp_path \(folder("fastcgi")); uwsgi_temp_path \(folder("uwsgi"));
                    scgi_temp_path \(folder("scgi"));
                    include \(folder("usher.conf"));
                }

                """
        case .haproxy:
            return try Self.file(
                "haproxy.cfg",
                [
                    server, ("[::]:443 v4v6", "127.0.0.1:\(address)"),
                    ("/etc/haproxy/usher.example.pem", folder("both.pem")),
                ])
        case .caddy:
            let site = """
                {
                    admin off
                    auto_https disable_redirects
                }
                usher.example:\(address) {
                    bind 127.0.0.1
                    tls \(folder("certificate.pem")) \(folder("key.pem"))
                """
            return try Self.file("Caddyfile", [server, ("\nusher.example {", "\n\(site)")])
        }
    }

    /// Returns a file of `deploy` in which some texts, which must occur, are replaced.
    static func file(_ name: String, _ substitutions: [(String, String)] = []) throws -> String {
        var text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        for (shipped, other) in substitutions {
            try #require(text.contains(shipped), "\(shipped) in deploy/\(name)")
            text.replace(shipped, with: other)
        }
        return text
    }

    /// The folder `deploy`.
    static let folder = URL(filePath: #filePath).appending(path: "../../../../deploy").standardized

    private static func makeCertificate(in folder: TemporaryFolder) throws {
        let end = try Program.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2",
                "-subj", "/CN=usher.example", "-addext", "subjectAltName=DNS:usher.example",
                "-keyout", folder("key.pem"), "-out", folder("certificate.pem"),
            ])
        try #require(end.status == 0, "\(end.error)")
        try folder.write(folder.bytes(of: "certificate.pem") + folder.bytes(of: "key.pem"), to: "both.pem")
    }

    /// The system's programs are often not in a user's path.
    private static var path: String { "PATH=\(Program.environment["PATH"] ?? ""):/usr/sbin:/sbin" }
}
