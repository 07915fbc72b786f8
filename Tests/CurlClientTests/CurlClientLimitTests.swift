import CurlClient
import MicroHTTPD
import SampleBackend
import Testing
import UsherHTTP

@Suite("CurlClient: limits and failures", .timeLimit(.minutes(1)))
struct CurlClientLimitTests {
    private let client = CurlClient()

    @Test func `a task that is cancelled while it waits waits no longer`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            let url = backend.url + "/sign-in"
            let waiting = Task { try await client.send("POST", url) }
            await backend.holds(1)
            waiting.cancel()
            await #expect(throws: CurlError.cancelled) { try await waiting.value }
            #expect(backend.keys.count == 1)
        }
    }

    @Test func `cancelling one leaves the others alone`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            let url = backend.url + "/sign-in"
            let waiting = (0..<8).map { _ in Task { try await client.send("POST", url, body: Array("{}".utf8)).status }
            }
            await backend.holds(8)
            for task in waiting.prefix(4) { task.cancel() }
            for task in waiting.prefix(4) {
                await #expect(throws: CurlError.cancelled) { try await task.value }
            }
            backend.release()
            for task in waiting.dropFirst(4) {
                let status = try await task.value
                #expect(status == 401)
            }
        }
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        try await Backend.run { backend in
            let url = backend.url + "/sign-in"
            for _ in 0..<50 {
                let gate = Gate()
                let task = Task {
                    await gate.pass()
                    return try await client.send("POST", url)
                }
                await gate.waiting(1)
                task.cancel()
                gate.open()
                await #expect(throws: CurlError.cancelled) { try await task.value }
            }
        }
    }

    @Test func `a service that does not answer is given up`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            var configuration = CurlClient.Configuration()
            configuration.timeout = .milliseconds(50)
            let client = CurlClient(configuration)
            await #expect(throws: CurlError.timedOut) { try await client.send("POST", backend.url + "/sign-in") }
        }
    }

    @Test func `a response whose head alone is larger than the limit is refused`() async throws {
        try await serving { url in
            var configuration = CurlClient.Configuration()
            configuration.responseLimit = 20
            let client = CurlClient(configuration)
            await #expect(throws: CurlError.tooLarge(limit: 20)) { try await client.send("HEAD", url) }
        }
    }

    @Test func `a response of 64 KiB is taken, and no larger one`() async throws {
        let handler: @Sendable (Request) async -> Response = { request in
            Response(body: [UInt8](repeating: 7, count: 65536 + (request.query == nil ? 0 : 1)))
        }
        try await serving(handler) { url in
            let count = try await client.send("GET", url).body.count
            #expect(count == 65536)
            await #expect(throws: CurlError.tooLarge(limit: 65536)) { try await client.send("GET", "\(url)/?more") }
        }
    }

    @Test func `nobody at the port is told at once`() async throws {
        let backend = try Backend()
        await backend.stop()
        await #expect(throws: CurlError.cannotConnect) { try await client.send("GET", backend.url) }
    }

    @Test func `a host without an address is told`() async throws {
        await #expect(throws: CurlError.cannotConnect) { try await client.send("GET", "http://nowhere.invalid/") }
    }

    @Test(arguments: [
        "", "http", "http:", "http://", "127.0.0.1:80", "ftp://127.0.0.1/", "file:///etc/hostname", "//127.0.0.1",
        "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX: y", "http://127.0.0.1/\u{0}", "http://[::1", "http://a:x/",
        "http://münchen.de/", "http:///path",
    ])
    func `what is no URL of http or https is refused`(url: String) async {
        await #expect(throws: CurlError.invalidURL) { try await client.send("GET", url) }
    }

    @Test(arguments: ["", "GE T", "GET\r\n", "GÉT"])
    func `what is no method is refused`(method: String) async {
        await #expect(throws: CurlError.invalidRequest("the method")) {
            try await client.send(method, "http://127.0.0.1/")
        }
    }

    @Test(arguments: [("A", "b\r\nC: d"), ("A", "b\u{0}"), ("A", "ü"), ("A b", "c"), ("", "c"), ("A:", "c")])
    func `what is no header field is refused`(name: String, value: String) async {
        await #expect {
            try await client.send("GET", "http://127.0.0.1/", headers: [(name, value)])
        } throws: { error in
            guard case .invalidRequest? = error as? CurlError else { return false }
            return true
        }
    }

    @Test func `every error is a sentence that says what to do`() {
        let errors: [CurlError] = [
            .invalidURL, .invalidRequest("the method"), .cannotConnect, .timedOut, .tooLarge(limit: 9), .cancelled,
            .failed("so"),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect("\(CurlError.tooLarge(limit: 9))" == "the service's response is larger than 9 bytes; ask it for less")
    }
}
