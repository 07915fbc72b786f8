import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

@Suite struct BodyBoundTests {
    private static let limit = 64 * 1024

    @Test func `a body of exactly the maximum size is accepted`() async throws {
        try await serving(.test, { .text("\($0.body.count)") }) { port throws in
            let body = String(repeating: "x", count: Self.limit)
            let response = try LocalhostClient(port: port).request("POST", "/", body: body)
            #expect(response.text == "\(Self.limit)")
        }
    }

    @Test func `a body whose Content-Length exceeds the limit is refused before it is read`() async throws {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.limit + 1)\r\n\r\n"
        try await expectRefusal(of: message, 413)
    }

    @Test func `the refusal of a large body states the limit`() async throws {
        try await serving { port throws in
            let message = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n"
            #expect(try answer(to: message, port: port).text.contains("more than 65536 bytes"))
        }
    }

    @Test(arguments: [(64, 200), (65, 413), (128, 413)])
    func `a chunked body over the limit is refused after the daemon has read at most twice the limit`(
        kibibytes: Int, status: Int
    )
        async throws
    {
        try await serving(.test, { .text("\($0.body.count)") }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(chunked(kibibytes: kibibytes) + "0\r\n\r\n")
            #expect(try connection.readResponse().status == status)
            // The connection stays usable if the body was read to its end.
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.readResponse().status == 200)
        }
    }

    @Test(arguments: [("/large", 200), ("/large?a=b", 200), ("/larger", 413), ("/", 413)])
    func `a path may have its own body limit`(path: String, status: Int) async throws {
        var configuration = DaemonConfiguration.test
        configuration.bodyLimits = [Path("/large"): Self.limit + 1]
        try await serving(configuration, { .text("\($0.body.count)") }) { port throws in
            let body = String(repeating: "x", count: Self.limit + 1)
            #expect(try LocalhostClient(port: port).request("POST", path, body: body).status == status)
        }
    }

    @Test func `a chunked body over twice the limit closes the connection`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try? connection.send(chunked(kibibytes: 129))
            #expect(connection.closedByPeer)
            #expect(try LocalhostClient(port: port).request("GET", "/").status == 200)
        }
    }

    private func chunked(kibibytes: Int) -> String {
        let chunk = "400\r\n" + String(repeating: "x", count: 1024) + "\r\n"
        return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: chunk, count: kibibytes)
    }
}
