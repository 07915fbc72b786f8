import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

/// Tests of RFC 9112 §9 (persistent connections, pipelining, closing), and of RFC 9110 §6.4 (content of responses).
@Suite struct Section9ConnectionTests {
    // MARK: 9.3 Persistence

    @Test func `an HTTP 1.1 connection stays open`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            for number in 1...1000 {
                try connection.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.readResponse().text == "GET\n/\(number)\n-\na\n")
            }
        }
    }

    @Test func `an HTTP 1.0 connection stays open if the client requests keep-alive`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            for _ in 1...2 {
                try connection.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try connection.readResponse()["Connection"]?.lowercased() == "keep-alive")
            }
        }
    }

    // MARK: 9.3.2 Pipelining

    @Test func `pipelined requests are answered in order`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            let requests = (1...20).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" }
            try connection.send(requests.joined())
            for number in 1...20 {
                #expect(try connection.readResponse().text == "POST\n/\(number)\n-\na\nx")
            }
        }
    }

    // MARK: 9.6 Tear-down

    @Test(arguments: Waiting.allCases)
    func `a client that shuts down its sending side gets all its responses before the connection is closed`(
        by waiting: Waiting
    ) async throws {
        try await serving(by: waiting) { port throws in
            let connection = try RawConnection(port: port, timeout: 5)
            try connection.send((1...20).map { get("/\($0)") }.joined())
            connection.finishSending()
            for number in 1...20 { #expect(try connection.readResponse().text == "GET\n/\(number)\n-\na\n") }
            #expect(connection.closedByPeer)
        }
    }

    @Test(arguments: ["close", "Close", "x, close"])
    func `a connection is closed if the client sends Connection: close`(option: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: \(option)\r\n\r\n")
            #expect(try connection.readResponse()["Connection"] == "close")
            #expect(connection.closedByPeer)
        }
    }

    @Test func `a connection is closed if its handler sets Connection: close`() async throws {
        try await serving(.test, { _ in Response(headers: ["Connection": "close"]) }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.readResponse()["Connection"] == "close")
            #expect(connection.closedByPeer)
        }
    }

    @Test func `bytes after a refused request are not read as another request`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            let refused = "DELETE / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 35\r\n\r\n"
            try connection.send(refused + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.readResponse().status == 417)
            #expect(connection.closedByPeer)
        }
    }

    // MARK: Responses without a body

    @Test func `the response to HEAD has the Content-Length that GET would return, and no body`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            for _ in 1...2 {
                try connection.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.readResponse(toHead: true)["Content-Length"] == "11")
            }
        }
    }

    @Test(arguments: [(Status.noContent, nil), (.notModified, "4")])
    func `responses with 204 and 304 have no body`(status: Status, length: String?) async throws {
        try await serving(
            .test, { _ in Response(status: status, headers: ["ETag": "\"1\""], body: Array("body".utf8)) }
        ) {
            port throws in
            let connection = try RawConnection(port: port)
            for _ in 1...2 {
                try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try connection.readResponse()
                #expect(response.status == status.code)
                #expect(response["Content-Length"] == length)
                #expect(response["ETag"] == "\"1\"")
            }
        }
    }

    @Test(arguments: [0, 7, UInt64.max])
    func `the response contains its entity tag as well as its other fields`(tag: UInt64) async throws {
        try await serving(.test, { _ in Response(headers: ["X": "1"], entityTag: tag) }) { port throws in
            let response = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response["X"] == "1")
            #expect(response["ETag"] == "\"\(tag)\"")
        }
    }

    @Test func `a Content-Length or Transfer-Encoding that a handler sets is dropped`() async throws {
        let headers: HeaderFields = ["Content-Length": "99", "Transfer-Encoding": "gzip", "X": "1"]
        try await serving(.test, { _ in Response(headers: headers, body: [65]) }) { port throws in
            let response = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response["Content-Length"] == "1")
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response["X"] == "1")
        }
    }

    @Test func `if a handler returns an interim status, the client gets 500`() async throws {
        try await serving(.test, { _ in Response(status: Status(code: 102, reason: "Processing")) }) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port).status == 500)
        }
    }
}
