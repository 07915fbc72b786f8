import HelloBye
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The endpoints of a server")
struct EndpointTests {
    @Test(arguments: Surface.allCases)
    func `GET /apps lists the apps with their options`(on surface: Surface) async throws {
        try await surface.serve([StartLoginMainApp.self, HelloByeApp.self]) { stage in
            let answer = try await stage.request(.get, "/apps")
            #expect(answer.status == 200)
            #expect(
                answer.text == """
                    {"apps":[{"app":"hello-bye","options":{"greeting":false},"flows":{},\
                    "screens":{"bye":{"bye":{}},"hello":{"hello":{}}}},\
                    {"app":"start-login-main","options":{"loggedIn":false},"clientOptions":[],"flows":{},\
                    "screens":{"login":{"login":{}},"main":{"profileEdit":{}},"start":{"startApp":{}},"update":{}}}]}
                    """)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the state of a session has all members that the contract lists`(on surface: Surface) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            try await walk.send("startApp")
            #expect(
                walk.answer.text == """
                    {"session":"\(walk.id)","app":"start-login-main","revision":2,"stack":[\
                    {"id":1,"screen":"start","coordinator":"app/start","shown":"root","state":{}},\
                    {"id":2,"screen":"login","coordinator":"app/start/login","shown":"push","state":{},\
                    "events":{"login":{}}}],"back":true,"changes":[{"push":[2]}],"pending":[]}
                    """)
            #expect(walk.answer.headers["Content-Type"] == "application/json")
        }
    }

    @Test(arguments: Surface.allCases)
    func `the operator's report of a session contains the coordinator tree with its screens`(on surface: Surface)
        async throws
    {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            try await walk.send("startApp")
            let report = try await walk.report()
            #expect(
                report["root"]?.text == """
                    {"id":1,"type":"AppCoordinator","name":"app","screens":[],"work":[],"children":[\
                    {"id":2,"type":"StartCoordinator","name":"start","screens":[{"id":1,"screen":"start"}],\
                    "work":[],"children":[\
                    {"id":3,"type":"LoginCoordinator","name":"login","screens":[{"id":2,"screen":"login"}],\
                    "work":[],"children":[]}]}]}
                    """)
            #expect(report["bytes"]?.integer == 162)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the sessions are listed in pages`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            var ids: [String] = []
            for _ in 0..<5 { ids.append(try await stage.open("hello-bye").id) }
            let first = try await stage.request(.get, "/admin/sessions", query: "limit=3")
            let last = first["sessions"]?.elements.compactMap { $0[member: "session"]?.string }.last ?? ""
            #expect(first["next"]?.string == "/admin/sessions?after=\(last)&limit=3")
            let second = try await stage.request(.get, "/admin/sessions", query: "after=\(last)&limit=3")
            #expect(second["next"] == nil)
            let found = [first, second].flatMap { page in
                page["sessions"]?.elements.compactMap { $0[member: "session"]?.string } ?? []
            }
            #expect(found == ids.sorted())
        }
    }

    @Test(arguments: Surface.allCases)
    func `a full server tells the client when to retry`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self], configure: { $0.maxSessions = 1 }) { stage in
            let walk = try await stage.open("hello-bye")
            let answer = try await stage.request(.post, "/sessions", body: #"{"app":"hello-bye"}"#)
            #expect(answer.status == 503)
            #expect(answer.headers["Retry-After"] == "10")
            _ = try await walk.delete()
            _ = try await stage.open("hello-bye")
        }
    }

    @Test(arguments: Surface.allCases)
    func `health and readiness have their own endpoints`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            for path in ["/healthz", "/readyz"] {
                let answer = try await stage.request(.get, path)
                #expect(answer.status == 200, "\(path)")
            }
        }
    }

    @Test func `a draining server is healthy but not ready`() async throws {
        let readiness = Readiness()
        let application = Application(
            apps: [HelloByeApp.self], options: .test, readiness: readiness, log: Log(.text, sink: { _ in }))
        readiness.drain()
        #expect(await application.respond(to: Request(path: "/healthz")).status.code == 200)
        #expect(await application.respond(to: Request(path: "/readyz")).status.code == 503)
    }
}
