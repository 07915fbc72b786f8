import Testing
import UsherHTTP

@Suite struct RequestHeadTests {
    private func head(
        _ method: String = "GET", _ target: String = "/", _ version: String = "HTTP/1.1", host: Bool = true,
        _ fields: (String, String)...
    ) -> RequestHead {
        var headers = HeaderFields()
        if host { headers.append(name: "Host", value: "a") }
        for (name, value) in fields { headers.append(name: name, value: value) }
        let target = Result { () throws(Problem) in try RequestTarget(parsing: Array(target.utf8).span) }
        return RequestHead(method: method, target: target, version: version, headers: headers)
    }

    private func status(_ head: RequestHead) -> Status? {
        do throws(Problem) {
            _ = try head.checked(bodyLimit: 100)
            return nil
        } catch {
            return error.status
        }
    }

    private func framing(_ head: RequestHead) throws -> RequestHead.Framing {
        try head.checked(bodyLimit: 100).framing
    }

    @Test func `a valid request head is accepted`() throws {
        let checked = try head("POST", "/a?b", "HTTP/1.1", ("Content-Length", "5")).checked(bodyLimit: 5)
        #expect(checked.request.method == .post)
        #expect(checked.request.path == "/a")
        #expect(checked.request.query == "b")
        #expect(checked.framing == .length(5))
    }

    @Test(arguments: ["HTTP/1.2", "HTTP/2", "http/1.1", "", "HTTP/1.1 "])
    func `only HTTP versions 1.1 and 1.0 are accepted`(version: String) {
        #expect(status(head("GET", "/", version)) == .httpVersionNotSupported)
    }

    @Test func `a request head with an illegal field is refused`() {
        var illegal = head()
        illegal.flaw = .illegalField
        #expect(status(illegal) == .badRequest)
    }

    @Test(arguments: [
        ("G T", "/"), ("CONNECT", "a:80"), ("CONNECT", "/"), ("GET", "a:80"), ("GET", "*"), ("GET", "/.."),
    ])
    func `a form of request target that does not fit the method is refused`(method: String, target: String) {
        #expect(status(head(method, target)) == .badRequest)
    }

    @Test func `HTTP 1.1 needs exactly one valid Host field`() {
        #expect(status(head(host: false)) == .badRequest)
        #expect(status(head("GET", "/", "HTTP/1.0", host: false)) == nil)
        #expect(status(head("GET", "/", "HTTP/1.1", ("Host", "b"))) == .badRequest)
        #expect(status(head("GET", "/", "HTTP/1.1", host: false, ("Host", "a/b"))) == .badRequest)
    }

    @Test func `the authority in an absolute target replaces the Host field`() throws {
        let checked = try head("GET", "http://b:1/c").checked(bodyLimit: 0)
        #expect(checked.request.headers.texts(of: "Host") == ["b:1"])
        #expect(checked.request.path == "/c")
    }

    @Test(arguments: ["", "a", "+1", "-1", "1,1", "1, 1", "0x1", "1 ", "１"])
    func `a Content-Length may contain digits only`(length: String) {
        #expect(
            status(head("POST", "/", "HTTP/1.1", ("Content-Length", length))) == (length == "1 " ? nil : .badRequest))
    }

    @Test func `a Content-Length that is too large or occurs twice is refused`() throws {
        #expect(try framing(head("POST", "/", "HTTP/1.1", ("Content-Length", "100"))) == .length(100))
        #expect(try framing(head("POST", "/", "HTTP/1.1", ("Content-Length", "000"))) == .none)
        #expect(status(head("POST", "/", "HTTP/1.1", ("Content-Length", "101"))) == .contentTooLarge)
        let huge = String(repeating: "9", count: 40)
        #expect(status(head("POST", "/", "HTTP/1.1", ("Content-Length", huge))) == .contentTooLarge)
        let twice = head("POST", "/", "HTTP/1.1", ("Content-Length", "1"), ("content-length", "1"))
        #expect(status(twice) == .badRequest)
    }

    @Test(arguments: ["gzip", "gzip, chunked", "chunked, chunked", "identity", "", "chunked;q=1"])
    func `a transfer coding other than chunked is refused`(coding: String) {
        #expect(status(head("POST", "/", "HTTP/1.1", ("Transfer-Encoding", coding))) == .badRequest)
    }

    @Test func `the transfer coding chunked is allowed once, without Content-Length, and only in HTTP 1.1`() throws {
        let coding = ("Transfer-Encoding", "Chunked")
        #expect(try framing(head("POST", "/", "HTTP/1.1", coding)) == .chunked)
        #expect(status(head("POST", "/", "HTTP/1.0", coding)) == .badRequest)
        #expect(status(head("POST", "/", "HTTP/1.1", coding, coding)) == .badRequest)
        #expect(status(head("POST", "/", "HTTP/1.1", coding, ("Content-Length", "0"))) == .badRequest)
    }

    @Test func `the only accepted Expect field is a single 100-continue`() {
        let expectation = ("Expect", "100-Continue")
        #expect(status(head("POST", "/", "HTTP/1.1", expectation)) == nil)
        #expect(status(head("POST", "/", "HTTP/1.1", ("Expect", "more"))) == .expectationFailed)
        #expect(status(head("POST", "/", "HTTP/1.1", expectation, expectation)) == .expectationFailed)
    }
}

extension RequestHead {
    fileprivate consuming func checked(bodyLimit: Int) throws(Problem) -> (request: Request, framing: Framing) {
        var request = Request()
        let framing = try check(bodyLimit: bodyLimit, into: &request)
        return (request, framing)
    }
}
