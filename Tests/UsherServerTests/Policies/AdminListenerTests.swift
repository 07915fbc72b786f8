import Foundation
import Glibc
import HelloBye
import LocalhostClient
import Programs
import Testing
import UsherHTTP
import UsherServer

@Suite("A separate listener for the operator", .blocking, .timeLimit(.minutes(5)))
struct AdminListenerTests {
    private static let inside = ["/metrics", "/apps", "/admin/sessions", "/login", "/admin/nowhere"]

    @Test func `the operator's port needs no token, and the public port does not serve the operator's endpoints`()
        async throws
    {
        try await serve(.port(host: "127.0.0.1", port: 0)) { server throws in
            let address = try #require(server.adminAddress)
            let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
            let (front, inner) = (LocalhostClient(port: server.port), LocalhostClient(port: port, token: nil))
            let opened = try inner.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
            #expect(opened.status == 201, "the operator's page needs every endpoint on this port")
            for path in Self.inside.dropLast() + ["/admin\(opened["Location"] ?? "")/tree"] {
                #expect(try inner.request("GET", path).status == 200, "\(path)")
                #expect(try front.request("GET", path).status == 404, "\(path)")
            }
            #expect(try inner.request("GET", "/login").text == #"{"caller":"operator","by":"listener"}"#)
            #expect(try inner.request("POST", "/login", body: #"{"token":"x"}"#).status == 405)
            for path in Self.inside {
                let answer = try front.request("GET", path)
                #expect(answer["Cache-Control"] == "no-store")
            }
            let whole = try inner.request("GET", "/openapi.json")
            #expect(whole.text.contains("hello-bye"))
            #expect(!whole.text.contains(#""security":[{"operator":[]}]"#), "this port needs no token")
            let contract = try front.request("GET", "/openapi.json")
            #expect(contract.status == 200)
            #expect(!contract.text.contains("hello-bye"), "the public document does not list the apps")
            #expect(contract.text.contains(#""security":[{"operator":[]}]"#))
            #expect(
                try front.request("GET", opened["Location"] ?? "").status == 200, "both ports serve the same sessions")
            let messages = "\(opened["Location"] ?? "")/messages"
            #expect(
                try inner.request("POST", messages, body: #"{"message":1}"#).status == 422,
                "the app accepts no messages")
            #expect(try front.request("POST", messages, body: #"{"message":1}"#).status == 403)
            #expect(try inner.request("GET", "/sessions?subject=kim").status == 200)
            #expect(try inner.request("GET", "/metrics").text.contains(#"route="/metrics",code="200""#))
        }
    }

    @Test func `the operator's listener accepts its own hosts and serves the page, whatever the public port accepts`()
        async throws
    {
        let configure: (inout ServeOptions) -> Void = { $0.allowedOrigins = ["https://shop.example"] }
        try await serve(.port(host: "127.0.0.1", port: 0), configure) { server throws in
            let port = try #require(server.adminAddress?.split(separator: ":").last.flatMap { Int($0) })
            let (front, inner) = (LocalhostClient(port: server.port), LocalhostClient(port: port, token: nil))
            let fields = [("Origin", "https://shop.example")]
            #expect(try front.request("GET", "/readyz", headers: fields).status == 200)
            for path in ["/metrics", "/admin/sessions"] {
                #expect(try inner.request("GET", path, headers: fields).status == 403)
                #expect(try inner.request("GET", path, headers: [("Host", "evil.example")]).status == 403)
            }
            let own = [("Origin", "http://127.0.0.1:\(port)")]
            #expect(
                try inner.request("POST", "/admin/backup", headers: own).status == 422,
                "a journal in memory has no backup")
        }
    }

    @Test func `pages of other sites cannot send requests to the operator's listener`() async throws {
        try await serve(.port(host: "127.0.0.1", port: 0)) { server throws in
            let port = try #require(server.adminAddress?.split(separator: ":").last.flatMap { Int($0) })
            let inner = LocalhostClient(port: port, token: nil)
            let requests = [
                ("GET", "/metrics"), ("GET", "/apps"), ("GET", "/admin/sessions"), ("GET", "/login"),
                ("GET", "/admin/apps/hello-bye/map"), ("POST", "/admin/backup"),
            ]
            for (method, path) in requests {
                for site in ["cross-site", "same-site", "anything"] {
                    let answer = try inner.request(method, path, headers: [("Sec-Fetch-Site", site)])
                    #expect(answer.status == 403, "\(path) \(site)")
                    #expect(answer.text.contains("urn:usher:problem:foreign-origin"))
                }
            }
            for site in ["same-origin", "none"] {
                #expect(try inner.request("GET", "/metrics", headers: [("Sec-Fetch-Site", site)]).status == 200)
            }
        }
    }

    @Test func `the operator's socket is accessible only by its owner, and is removed when the server ends`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await serve(.socket(path: folder("usher.sock"))) { server throws in
            #expect(server.adminAddress == "unix:\(folder("usher.sock"))")
            let mode = try folder.attributes(of: "usher.sock")[.posixPermissions] as? Int
            #expect(mode == 0o600)
            for path in Self.inside.dropLast() { #expect(try status(path, folder("usher.sock")) == 200, "\(path)") }
            #expect(try LocalhostClient(port: server.port).request("GET", "/metrics").status == 404)
            await #expect(throws: AdminListener.Failure.self, "another process has it") {
                try await serve(.socket(path: folder("usher.sock"))) { _ throws in }
            }
            #expect(try status("/metrics", folder("usher.sock")) == 200)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test func `the operator's listener replaces an abandoned socket, but does not replace a regular file`()
        async throws
    {
        let folder = try TemporaryFolder()
        let program = try Program(
            usher: [
                "serve", "--no-supervisor", "--port", "0", "--journal", "memory", "--admin-listen",
                "unix:\(folder("left.sock"))",
            ],
            environment: ["USHER_ADMIN_TOKEN": nil])
        #expect(program.readPort() != nil)
        #expect(program.readLine() == "usher: look inside at unix:\(folder("left.sock"))")
        program.send(SIGKILL)
        _ = program.finish()
        #expect(try folder.names == ["left.sock"])
        try await serve(.socket(path: folder("left.sock"))) { _ throws in
            #expect(try status("/metrics", folder("left.sock")) == 200)
        }
        try folder.write([1], to: "file")
        for (path, words) in [
            ("file", "the file there is not a socket"), ("nowhere/usher.sock", "No such file or directory"),
            (String(repeating: "x", count: 108), "1 to 107 bytes"),
        ] {
            let error = await #expect(throws: AdminListener.Failure.self) {
                try await serve(.socket(path: folder(path))) { _ throws in }
            }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
            #expect(error?.description.hasSuffix("choose another place with --admin-listen") == true)
        }
        #expect(folder.bytes(of: "file") == [1])
    }

    @Test func `the error for a port that is in use names the option that sets the port`() async throws {
        try await serve(.port(host: "127.0.0.1", port: 0)) { server throws in
            let port = try #require(server.adminAddress?.split(separator: ":").last.flatMap { Int($0) })
            let error = await #expect(throws: AdminListener.Failure.self) {
                try await serve(.port(host: "127.0.0.1", port: port)) { _ throws in }
            }
            #expect(
                error?.description
                    == "cannot listen on 127.0.0.1:\(port): the port is in use; choose another place with --admin-listen"
            )
        }
    }

    private func serve(
        _ listener: AdminListener, _ configure: (inout ServeOptions) -> Void = { _ in },
        _ body: (Server) async throws -> Void
    ) async throws {
        var options = ServeOptions()
        options.port = 0
        options.sessionAccess = .id
        options.adminListener = listener
        configure(&options)
        let server = try Server(apps: [HelloByeApp.self], options: options, log: Log(.text, sink: { _ in }))
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func status(_ path: String, _ socket: String) throws -> Int? {
        let end = try Program.run([
            "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--unix-socket", socket,
            "http://localhost\(path)",
        ])
        return Int(end.output)
    }
}
