import CurlClient
import MicroHTTPD
import SampleBackend
import Testing
import UsherHTTP

@Suite("CurlClient", .timeLimit(.minutes(1)))
struct CurlClientTests {
    private let client = CurlClient()

    @Test func `a request arrives as it was sent`() async throws {
        try await serving { url in
            let response = try await client.send(
                "POST", "\(url)/a?b=c", headers: [("X-Mark", "1 2"), ("Empty", "")], body: Array("hi\u{0}there".utf8))
            #expect(response.status == 200)
            let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(lines.first == "POST /a b=c 8")
            // Nothing that libcurl would add by itself.
            #expect(lines.dropFirst().sorted() == ["Accept", "Content-Length", "Empty", "Host", "X-Mark"])
        }
    }

    @Test(arguments: [("GET", 0), ("PUT", 0), ("DELETE", 0), ("POST", 0), ("PATCH", 2), ("GET", 2)])
    func `every method is sent as it is, with a body or without`(method: String, count: Int) async throws {
        try await serving { url in
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
            let response = try await client.send(method, "\(url)/", body: body)
            let line = String(decoding: response.body, as: UTF8.self).split(separator: "\n").first
            #expect(line.map(String.init) == "\(method) / - \(count)")
        }
    }

    @Test func `a HEAD has a status and no body`() async throws {
        try await serving { url in
            let response = try await client.send("HEAD", url)
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
    }

    @Test(arguments: [201, 404, 422, 500, 503])
    func `a response of any status is a response`(status: Int) async throws {
        try await serving({ _ in .text("so be it", status: Status(code: status, reason: "Some")) }) { url in
            let response = try await client.send("GET", url)
            #expect(response.status == status)
            #expect(response.body == Array("so be it".utf8))
        }
    }

    @Test func `a redirect is answered with, not followed`() async throws {
        let handler: @Sendable (Request) async -> Response = { request in
            request.path == "/" ? Response(status: .seeOther, headers: ["Location": "/elsewhere"]) : .text("followed")
        }
        try await serving(handler) { url in
            let response = try await client.send("GET", "\(url)/")
            #expect(response.status == 303)
        }
    }

    @Test func `requests at once do not mix`() async throws {
        try await serving({ .text($0.path) }) { url in
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let response = try await client.send("GET", "\(url)/\(number)")
                        return (number, String(decoding: response.body, as: UTF8.self))
                    }
                }
                for try await (number, text) in group { #expect(text == "/\(number)") }
            }
        }
    }

    @Test func `a client works again after it has had nothing to do`() async throws {
        try await serving({ .text($0.path) }) { url in
            for _ in 0..<20 {
                let response = try await client.send("GET", "\(url)/again")
                #expect(response.body == Array("/again".utf8))
            }
        }
    }

    @Test func `a connection that the service has closed meanwhile is replaced`() async throws {
        let first = try Daemon(.test) { _ in .text("first") }
        let url = "http://127.0.0.1:\(first.port)"
        let answer = try await client.send("POST", url, body: [1])
        #expect(answer.body == Array("first".utf8))
        await first.stop()
        await #expect(throws: CurlError.cannotConnect) { try await client.send("POST", url, body: [1]) }
        var configuration = DaemonConfiguration.test
        configuration.port = first.port
        // Another program may have taken the port by now.
        guard let second = try? Daemon(configuration, handler: { _ in .text("second") }) else { return }
        let again = try await client.send("POST", url, body: [1])
        #expect(again.body == Array("second".utf8))
        await second.stop()
    }
}
