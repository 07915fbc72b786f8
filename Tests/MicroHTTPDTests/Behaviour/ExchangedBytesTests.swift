import LocalhostClient
import Testing
import UsherHTTP

@testable import MicroHTTPD

/// Tests of the memory for bodies of requests and responses, which all connections share.
@Suite("The memory of bodies that are being exchanged", .blocking)
struct ExchangedBytesTests {
    private let large = String(repeating: "x", count: 15_000)

    private func head(_ length: Int) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test func `a body is refused while memory is short, and is accepted after another request has ended`() async throws
    {
        var configuration = DaemonConfiguration.test
        configuration.exchangeLimit = 20_000
        let daemon = try Daemon(configuration, handler: echo)
        try await BlockingThreads.run {
            let port = daemon.port
            let first = try RawConnection(port: port)
            // The received bytes have memory, and the rest is outstanding.
            #expect(try first.begin("POST", "/", body: large).status == 100)
            try first.send(String(large.dropLast(1_000)))
            while daemon.traffic.exchangedBytes < 14_000 { await Task.yield() }
            let second = try RawConnection(port: port)
            try second.send(head(15_000) + large)
            let refused = try second.readResponse()
            #expect(refused.status == 503)
            #expect(refused["Retry-After"] != nil)
            let third = try RawConnection(port: port)
            try third.send(head(100) + String(repeating: "x", count: 100))
            #expect(try third.readResponse().status == 200, "a small one takes no room")
            try first.send(String(large.suffix(1_000)))
            #expect(try first.readResponse().status == 200)
            // The memory is freed after the response was sent, which its reader may notice first.
            var status = 503
            while status == 503 {
                let other = try RawConnection(port: port)
                try other.send(head(15_000) + large)
                status = try other.readResponse().status
            }
            #expect(status == 200)
            await daemon.stop()
        }
    }

    @Test func `a client that announces a body and sends nothing reserves no memory`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.exchangeLimit = 20_000
        let daemon = try Daemon(configuration, handler: echo)
        try await BlockingThreads.run {
            let port = daemon.port
            let promised = try (0..<3).map { _ in try RawConnection(port: port) }
            for connection in promised { #expect(try connection.begin("POST", "/", body: large).status == 100) }
            let other = try RawConnection(port: port)
            try other.send(head(15_000) + large)
            #expect(try other.readResponse().status == 200)
            while daemon.traffic.exchangedBytes > 0 { await Task.yield() }
            // Now the bytes arrive, and only one body has memory for all but its end.
            try promised[0].send(String(large.dropLast()))
            while daemon.traffic.exchangedBytes < large.utf8.count - 1 { await Task.yield() }
            for connection in promised.dropFirst() { try connection.send(large) }
            #expect(try promised.dropFirst().map { try $0.readResponse().status } == [503, 503])
            try promised[0].send("x")
            #expect(try promised[0].readResponse().status == 200)
            await daemon.stop()
        }
    }

    @Test func `the bytes that a connection releases are available to other connections at once`() async throws {
        let bytes = ExchangedBytes(limit: 10_000)
        var share = ExchangeShare()
        try bytes.reserve(9_000, for: &share)
        var other = ExchangeShare()
        #expect(throws: Problem.self) { try bytes.reserve(5_000, for: &other) }
        bytes.count(100_000, in: &other)
        #expect(bytes.count == 109_000)
        bytes.release(&share)
        bytes.release(&share)
        bytes.release(&other)
        #expect(bytes.count == 0)
        try bytes.reserve(10_000, for: &share)
        #expect(bytes.refusalCount == 1)
        try bytes.reserve(10_000, for: &share)
        #expect(throws: Problem.self) { try bytes.reserve(10_001, for: &share) }
    }
}
