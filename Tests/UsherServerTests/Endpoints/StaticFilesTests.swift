import Foundation
import HelloBye
import LocalhostClient
import Programs
import Testing
import UsherHTTP
import UsherServer

@Suite("The files of the debug page", .blocking)
struct StaticFilesTests {
    @Test func `each file is served under its name with its media type`() async throws {
        try await withFolder { folder in
            let application = try application(folder)
            for (path, type) in [
                ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
                ("/parts/tree.js", "text/javascript; charset=utf-8"), ("/debug/", "text/html; charset=utf-8"),
                ("/debug/parts/tree.js", "text/javascript; charset=utf-8"),
            ] {
                let response = await application.respond(to: Request(path: path))
                #expect(response.status == .ok, "\(path)")
                #expect(response.headers["Content-Type"] == type)
                #expect(response.headers["Content-Security-Policy"]?.contains("default-src 'self'") == true)
                #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            }
        }
    }

    @Test func `at the page's address, a server without the page explains how to set the page's folder`() async {
        let application = Application(
            apps: [HelloByeApp.self], options: .test, log: Log(.text, sink: { _ in }))
        for path in ["/", "/debug/"] {
            let response = await application.respond(to: Request(path: path))
            #expect(response.status == .notFound)
            #expect(String(decoding: response.body, as: UTF8.self).contains("--public FOLDER"))
        }
    }

    @Test func `a browser that already has the current file gets 304`() async throws {
        try await withFolder { folder in
            let first = try await application(folder).respond(to: Request(path: "/parts/tree.js"))
            #expect(first.headers["Cache-Control"] == "no-cache")
            let tag = try #require(first.headers["ETag"])
            let again = Request(path: "/parts/tree.js", headers: ["If-None-Match": tag])
            #expect(try await application(folder).respond(to: again).status == .notModified)
            try Data("changed".utf8).write(to: URL(filePath: folder).appending(path: "parts/tree.js"))
            let changed = try await application(folder).respond(to: again)
            #expect(changed.status == .ok)
            #expect(changed.headers["ETag"] != tag)
        }
    }

    @Test func `a file is compressed if the client accepts compression, and then has another entity tag`()
        async throws
    {
        try await withFolder { folder in
            let text = String(repeating: "const page = 1;\n", count: 200)
            try Data(text.utf8).write(to: URL(filePath: folder).appending(path: "parts/tree.js"))
            let application = try application(folder)
            let plain = await application.respond(to: Request(path: "/parts/tree.js"))
            #expect(plain.headers["Content-Encoding"] == nil)
            #expect(plain.headers["Vary"] == "Accept-Encoding")
            let fields: HeaderFields = ["Accept-Encoding": "gzip, deflate, br"]
            let coded = await application.respond(to: Request(path: "/parts/tree.js", headers: fields))
            #expect(coded.headers["Content-Encoding"] == "gzip")
            #expect(coded.headers["Vary"] == "Accept-Encoding")
            #expect(coded.headers["Content-Type"] == plain.headers["Content-Type"])
            #expect(coded.headers["Content-Security-Policy"] == plain.headers["Content-Security-Policy"])
            #expect(coded.body.count < plain.body.count / 10)
            #expect(try Self.unpacked(coded.body) == text)
            let tags = (try #require(plain.headers["ETag"]), try #require(coded.headers["ETag"]))
            #expect(tags.0 != tags.1)
            for (tag, coding, status) in [
                (tags.1, "gzip", Status.notModified), (tags.0, "gzip", .ok), (tags.1, "identity", .ok),
                (tags.0, "identity", .notModified),
            ] {
                let again = Request(
                    path: "/parts/tree.js", headers: ["If-None-Match": tag, "Accept-Encoding": coding])
                let answer = await application.respond(to: again)
                #expect(answer.status == status, "\(tag) \(coding)")
                #expect(answer.headers["ETag"] == (coding == "gzip" ? tags.1 : tags.0))
            }
        }
    }

    @Test(arguments: [
        ("gzip", true), ("x-gzip", true), ("GZIP;Q=0.5", true), ("*", true), ("br, gzip;q=0.1", true),
        ("gzip;q=0.5, identity;q=0.5", true), ("", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0, *", false),
        ("*;q=0", false), ("gzip;q=0.2, identity;q=0.3", false), ("gzip;q=x", false), ("gzip;q=7", false),
        (",;,", false),
    ])
    func `the content coding is chosen by the weights in Accept-Encoding`(field: String, isCoded: Bool) async throws {
        try await withFolder { folder in
            let text = String(repeating: "a", count: 2_000)
            try Data(text.utf8).write(to: URL(filePath: folder).appending(path: "index.html"))
            let request = Request(path: "/", headers: ["Accept-Encoding": field])
            let answer = try await application(folder).respond(to: request)
            #expect((answer.headers["Content-Encoding"] == "gzip") == isCoded)
        }
    }

    @Test func `a file is not compressed if compression would make it larger`() async throws {
        try await withFolder { folder in
            let answer = try await application(folder).respond(
                to: Request(path: "/", headers: ["Accept-Encoding": "gzip"]))
            #expect(answer.headers["Content-Encoding"] == nil)
            #expect(answer.body == Array("contents".utf8))
        }
    }

    /// Returns the text that the program gzip decompresses.
    private static func unpacked(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: "packed.gz")
        let end = try Program.run(["gzip", "--decompress", "--stdout", folder("packed.gz")])
        #expect(end.status == 0)
        return end.output
    }

    @Test(arguments: [
        "/secret.key", "/.hidden.html", "/parts", "/parts/", "/../index.html", "/parts/../index.html", "/nothing.js",
        "/{id}.js", "/other.js",
    ])
    func `a path that is not the name of a file is not served`(path: String) async throws {
        try await withFolder { folder in
            let response = try await application(folder).respond(to: Request(path: path))
            #expect(response.status == .notFound)
        }
    }

    @Test func `a server without a page folder answers 404 for the page`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(.get, "/")
            #expect(answer.status == 404)
        }
    }

    @Test func `a server whose page folder cannot be read ends with one line and status 1`() throws {
        let end = try Program(usher: ["serve", "--port", "0", "--journal", "memory", "--public", "/nonexistent"])
            .finish()
        #expect(end.status == 1)
        #expect(end.error == "usher: cannot read /nonexistent: No such file or directory\n")
    }

    @Test func `a server whose page folder has no page ends with one line and status 1`() async throws {
        try await withFolder { folder in
            try FileManager.default.removeItem(atPath: "\(folder)/index.html")
            let end = try Program(usher: ["serve", "--port", "0", "--journal", "memory", "--public", folder]).finish()
            #expect(end.status == 1)
            #expect(end.error == "usher: cannot read \(folder)/index.html: No such file or directory\n")
        }
    }

    private func application(_ folder: String) throws -> Application {
        Application(
            apps: [HelloByeApp.self], options: .test, page: try StaticFiles(folder: folder),
            log: Log(.text, sink: { _ in }))
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder.appending(path: "parts"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["index.html", "parts/tree.js", "secret.key", ".hidden.html", "{id}.js"] {
            try Data("contents".utf8).write(to: folder.appending(path: name))
        }
        try await body(folder.path())
    }
}
