import LocalhostClient
import MicroHTTPD
import Testing

/// Tests that no reset destroys an error response, even if its client continues to send for some time.
@Suite(.timeLimit(.minutes(5))) struct HalfCloseTests {
    @Test func `a client can finish sending a refused body and read the refusal`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            let size = 1_000_000
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
            // The error response arrives before the body.
            let response = try connection.readInterim()
            #expect(response.status == 413)
            for _ in 0..<10 { try connection.send([UInt8](repeating: 65, count: size / 10)) }
            let length = response["Content-Length"].flatMap { Int($0) }
            #expect(try connection.readToEnd().count == length)
        }
    }

    @Test func `bytes after a refusal are read for a limited time only`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.deadlines.halfClosed = .milliseconds(50)
        try await serving(configuration) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
            _ = try connection.readResponse()
            #expect(throws: ClientError.self) {
                while true { try connection.send([UInt8](repeating: 65, count: 1000)) }
            }
        }
    }

    @Test func `stopping a daemon does not wait for the body of a refused request`() async throws {
        try await BlockingThreads.run {
            let daemon = try Daemon(.test, handler: echo)
            let connection = try RawConnection(port: daemon.port)
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
            #expect(try connection.readResponse().status == 413)
            await daemon.stop()
            #expect(throws: ClientError.self) {
                while true { try connection.send([UInt8](repeating: 65, count: 1000)) }
            }
        }
    }
}
