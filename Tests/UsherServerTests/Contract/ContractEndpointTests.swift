import HelloBye
import LocalhostClient
import Testing
import UsherContract
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The endpoint for the OpenAPI document")
struct ContractEndpointTests {
    @Test(arguments: Surface.allCases)
    func `every caller gets the common part of the document, and the operator also gets the apps`(on surface: Surface)
        async throws
    {
        try await surface.serve([HelloByeApp.self]) { stage throws in
            let common = try await stage.request(.get, "/openapi.json")
            #expect(common.status == 200)
            #expect(common.headers["Content-Type"] == "application/json")
            #expect(common.headers["Cache-Control"] == "private, no-cache")
            #expect(common["openapi"]?.string == "3.1.0")
            #expect(!common.text.contains("hello-bye"))
            let whole = try await stage.request(.get, "/openapi.json", headers: Self.key)
            #expect(whole["components", "schemas", "hello-bye-screens-hello-event"] != nil)
            #expect(whole.headers["ETag"] != common.headers["ETag"])
        }
    }

    @Test func `if the apps are public, every caller gets the apps in the document`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self], configure: { $0.appsArePublic = true }) { stage throws in
            #expect(try await stage.request(.get, "/openapi.json")["components", "schemas", "hello-bye-options"] != nil)
        }
    }

    @Test(arguments: [true, false], [SessionKeyKind.token, .id])
    func `the document requires a token or key only for the requests for which the server checks one`(
        appsArePublic: Bool, access: SessionKeyKind
    ) async throws {
        let configure: (inout ServeOptions) -> Void = { ($0.appsArePublic, $0.sessionAccess) = (appsArePublic, access) }
        try await Surface.inProcess.serve([HelloByeApp.self], configure: configure) { stage throws in
            let paths = try #require(try await stage.request(.get, "/openapi.json")["paths"])
            for (path, operations) in paths.members {
                for (name, operation) in operations.members {
                    let known: UsherHTTP.Method? = .init(rawValue: name.uppercased())
                    let method = try #require(known)
                    let target = path.replacing("{id}", with: String(repeating: "0", count: 32))
                        .replacing("{revision}", with: "1").replacing("{app}", with: "hello-bye")
                    let needsKey = operation[member: "security"]?.elements.allSatisfy { $0.text != "{}" } ?? false
                    let answer = try await stage.request(method, target, asOperator: false)
                    #expect((answer.status == 401) == needsKey, "\(name) \(path): \(answer.text)")
                    #expect(needsKey == (operation[member: "responses"]?[member: "401"] != nil), "\(name) \(path)")
                }
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `a client that already has the current document gets 304`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage throws in
            let tag = try #require(try await stage.request(.get, "/openapi.json").headers["ETag"])
            let again = try await stage.request(.get, "/openapi.json", headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            var known = Self.key
            known.append(name: "If-None-Match", value: tag)
            #expect(try await stage.request(.get, "/openapi.json", headers: known).status == 200)
        }
    }

    @Test(arguments: Surface.allCases)
    func `a client that accepts gzip gets the document compressed`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage throws in
            let accepting: HeaderFields = ["Accept-Encoding": "gzip"]
            let compressed = try await stage.request(.get, "/openapi.json", headers: accepting)
            #expect(compressed.status == 200 && compressed.headers["Content-Encoding"] == "gzip")
            #expect(try await stage.request(.get, "/openapi.json").headers["Content-Encoding"] == nil)
        }
    }

    @Test(arguments: [("Authorization", "Bearer wrong", 403), ("If-None-Match", "no tag", 400)])
    func `a request for the document with a wrong key or a malformed condition is refused`(
        field: String, value: String, status: Int
    ) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            var headers = HeaderFields()
            headers.append(name: field, value: value)
            #expect(try await stage.request(.get, "/openapi.json", headers: headers).status == status)
        }
    }

    @Test func `the document describes every route of the server and no other`() async throws {
        let options = ServeOptions.test
        let application = Application(apps: [HelloByeApp.self], options: options, log: Log(.text, sink: { _ in }))
        let routes = Set(application.routes.map { "\($0.method.rawValue) \($0.name)" })
        let operations = Set(ContractOperation.all.map { "\($0.method.rawValue) \($0.path)" })
        // This application has no page, but a route that reports so.
        #expect(operations.subtracting(["GET /", "GET /debug/"]) == routes.subtracting(["GET page"]))
    }

    private static let key: HeaderFields = ["Authorization": "Bearer \(LocalhostClient.operatorToken)"]
}
