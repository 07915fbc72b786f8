import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherHTTP

@Suite(.timeLimit(.minutes(5))) struct SuspensionTests {
    @Test(arguments: Waiting.allCases)
    func `a suspended handler's response is sent, and the connection stays open`(by waiting: Waiting)
        async throws
    {
        let gate = HandlerGate()
        let handler: @Sendable (Request) async -> Response = { request in
            await gate.pass()
            return await echo(request)
        }
        try await serving(.test, by: waiting, handler) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
            await gate.waiting(1)
            gate.open()
            #expect(try connection.readResponse().text == "POST\n/1\n-\na\nx")
            try connection.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.readResponse().text == "GET\n/2\n-\na\n")
        }
    }

    @Test(arguments: Waiting.allCases)
    func `the number of suspended handlers may exceed the number of threads, and all requests are answered`(
        by waiting: Waiting
    )
        async throws
    {
        let gate = HandlerGate()
        try await serving(
            .test, by: waiting,
            { request in
                await gate.pass(); return await echo(request)
            }
        ) { port throws in
            let connections = try (0..<64).map { _ in try RawConnection(port: port) }
            for (number, connection) in connections.enumerated() {
                try connection.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            await gate.waiting(64)
            gate.open()
            for (number, connection) in connections.enumerated() {
                #expect(try connection.readResponse().text == "GET\n/\(number)\n-\na\n")
            }
        }
    }

    @Test(arguments: Waiting.allCases)
    func `each request is answered once if its handler is suspended only briefly`(by waiting: Waiting) async throws {
        try await serving(
            .test, by: waiting,
            { request in
                await Task.yield(); return await echo(request)
            }
        ) { port throws in
            let connection = try RawConnection(port: port)
            for number in 1...1000 {
                try connection.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.readResponse().text == "GET\n/\(number)\n-\na\n")
            }
        }
    }

    @Test(arguments: Waiting.allCases)
    func `pipelined requests wait for an earlier request that is suspended`(by waiting: Waiting) async throws {
        let gate = HandlerGate()
        let handler: @Sendable (Request) async -> Response = { request in
            if request.path == "/slow" { await gate.pass() }
            return .text(request.path)
        }
        try await serving(.test, by: waiting, handler) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waiting(1)
            gate.open()
            #expect(try connection.readResponse().text == "/slow")
            #expect(try connection.readResponse().text == "/quick")
        }
    }

    @Test(arguments: Waiting.allCases)
    func `other clients get their answers, even if a client disconnects while its request is suspended`(
        by waiting: Waiting
    )
        async throws
    {
        let gate = HandlerGate()
        let handler: @Sendable (Request) async -> Response = { request in
            if request.path == "/slow" { await gate.pass() }
            return .text(request.path)
        }
        try await serving(.test, by: waiting, handler) { port throws in
            for number in 1...20 {
                let connection = try RawConnection(port: port)
                try connection.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
                await gate.waiting(number)
            }
            gate.open()
            #expect(try LocalhostClient(port: port).request("GET", "/quick").text == "/quick")
        }
    }

    @Test(arguments: Waiting.allCases)
    func `64 concurrent clients each get their own response`(by waiting: Waiting) async throws {
        let handler: @Sendable (Request) async -> Response = { request in
            if request.body.count % 2 == 0 { await Task.yield() }
            return await echo(request)
        }
        try await serving(.test, by: waiting, handler) { port throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<64 { group.addTask { try converse(client, port: port) } }
                try await group.waitForAll()
            }
        }
    }
}

private func converse(_ client: Int, port: Int) throws {
    let connection = LocalhostClient(port: port)
    for number in 0..<20 {
        let body = String(repeating: "x", count: number)
        let response = try connection.request("POST", "/\(client)/\(number)", headers: [("Host", "a")], body: body)
        #expect(response.text == "POST\n/\(client)/\(number)\n-\na\n\(body)")
    }
}
