import HelloBye
import Programs
import Testing
import UsherHTTP

@Suite("Requests that the operator's page repeats")
struct RepeatedQuestionTests {
    private static let compressed: HeaderFields = ["Accept-Encoding": "gzip"]

    @Test(arguments: ["/admin/sessions", "/metrics"])
    func `an answer to the operator is compressed if the client accepts compression`(path: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            for _ in 0..<20 { _ = try await stage.open("hello-bye") }
            let plain = try await stage.request(.get, path)
            #expect(!plain.headers.contains("Content-Encoding"))
            #expect(plain.headers["Vary"] == "Accept-Encoding")
            let answer = try await stage.request(.get, path, headers: Self.compressed)
            #expect(answer.headers["Content-Encoding"] == "gzip")
            #expect(answer.headers["Content-Type"] == plain.headers["Content-Type"])
            #expect(answer.body.count < plain.body.count / 2)
            if path == "/admin/sessions" { #expect(try Self.unpacked(answer.body) == plain.text) }
        }
    }

    @Test func `a repeated request gets 304 if the answer is unchanged, even if the answer is compressed`()
        async throws
    {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            let path = "/admin/sessions"
            let tag = try #require(try await stage.request(.get, path).headers["ETag"])
            for fields: HeaderFields in [[:], Self.compressed] {
                var fields = fields
                fields.append(name: "If-None-Match", value: tag)
                let answer = try await stage.request(.get, path, headers: fields)
                #expect(answer.status == 304)
                #expect(answer.headers["ETag"] == tag)
                #expect(!answer.headers.contains("Content-Encoding"))
            }
            _ = try await stage.open("hello-bye")
            let changed = try await stage.request(.get, path, headers: ["If-None-Match": tag])
            #expect(changed.status == 200)
            #expect(changed.headers["ETag"] != tag)
        }
    }

    @Test func `a short answer is not compressed`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            let answer = try await stage.request(.get, "/admin/nodes", headers: Self.compressed)
            #expect(!answer.headers.contains("Content-Encoding"))
            #expect(answer.text == #"{"nodes":[],"builds":[]}"#)
        }
    }

    @Test func `a caller without the operator's token is refused, even with a matching If-None-Match`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            let tag = try #require(try await stage.request(.get, "/metrics").headers["ETag"])
            for known in [tag, "*"] {
                let fields: HeaderFields = ["If-None-Match": known]
                #expect(try await stage.request(.get, "/metrics", headers: fields, asOperator: false).status == 401)
            }
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
}
