import LocalhostClient
import MicroHTTPD
import Testing

/// Requests with random mistakes, the same at each run: whatever comes, the daemon serves on.
@Suite(.timeLimit(.minutes(2))) struct MutationTests {
    private static let valid = [
        "GET /sessions/1?x=y HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
        "POST /sessions/1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"back\":true}",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\nyou\r\n0\r\nT: x\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "PUT http://a/%C3%A4/%2F HTTP/1.0\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab",
    ]

    @Test(arguments: 0..<8)
    func `mutated requests do the daemon no harm`(seed: Int) async throws {
        var configuration = Daemon.Configuration.test
        configuration.deadlines.grace = .milliseconds(50)
        try await serving(configuration) { port throws in
            var random = SplitMix(state: UInt64(seed))
            for round in 0..<200 {
                let message = Mutation.applied(to: Array(Self.valid[round % Self.valid.count].utf8), &random)
                let connection = try RawConnection(port: port)
                try? connection.send(message)
                connection.finishSending()
            }
            #expect(try answer(to: "GET /after HTTP/1.1\r\nHost: a\r\n\r\n", port: port).text == "GET\n/after\n-\na\n")
        }
    }
}
