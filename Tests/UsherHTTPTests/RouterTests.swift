import Synchronization
import Testing
import UsherHTTP

@Suite struct RouterTests {
    /// Returns a router whose routes respond with their own pattern and the values of its parameters.
    private func router(_ routes: (Method, String)...) -> Router {
        var router = Router()
        for (method, pattern) in routes {
            router.on(method, pattern) { _, parameters in
                let found = ["id", "revision"].compactMap { name in parameters[name].map { "\(name)=\($0)" } }
                return .text(([pattern] + found).joined(separator: " "))
            }
        }
        return router
    }

    @Test(arguments: [
        ("/sessions", "/sessions"), ("/sessions/7", "/sessions/{id} id=7"),
        ("/sessions/7/events", "/sessions/{id}/events id=7"), ("/sessions/new", "/sessions/new"),
        ("/sessions/new/events", "/sessions/{id}/events id=new"),
        ("/sessions/7/at/3", "/sessions/{id}/at/{revision} id=7 revision=3"), ("/", "/"),
    ])
    func `a request is routed to the matching pattern, and literal segments win over parameters`(
        path: String, text: String
    ) async {
        let router = router(
            (.get, "/"), (.get, "/sessions"), (.get, "/sessions/{id}"), (.get, "/sessions/{id}/events"),
            (.get, "/sessions/new"), (.get, "/sessions/{id}/at/{revision}"))
        #expect(await router.respond(to: Request(path: path)).text == text)
    }

    @Test(arguments: [
        "/", "/session", "/sessions/", "/sessions//events", "/sessions/7/", "/sessions/7/events/", "/a/b/c/d/e",
    ])
    func `an unknown path gets 404, even if it differs from a known path only in a trailing slash`(path: String) async {
        let response = await router((.get, "/sessions"), (.get, "/sessions/{id}/events")).respond(
            to: Request(path: path))
        #expect(response.status == .notFound)
        #expect(response.headers["Content-Type"] == "application/problem+json")
    }

    @Test func `an escaped slash is part of its segment`() async throws {
        let target = try RequestTarget(parsing: Array("/sessions/a%2Fb/events".utf8).span)
        let request = Request(.get, target: target.path, query: nil, headers: HeaderFields())
        let response = await router((.get, "/sessions/{id}/events")).respond(to: request)
        #expect(response.text == "/sessions/{id}/events id=a/b")
    }

    @Test func `a method that a known path does not support gets 405 with Allow`() async {
        let response = await router((.get, "/a"), (.post, "/a")).respond(to: Request(.delete, path: "/a"))
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS, POST")
    }

    @Test func `a GET route answers HEAD, and a POST route does not answer HEAD`() async {
        let router = router((.get, "/a"), (.post, "/b"))
        #expect(await router.respond(to: Request(.head, path: "/a")).text == "/a")
        #expect(await router.respond(to: Request(.head, path: "/b")).status == .methodNotAllowed)
    }

    @Test func `OPTIONS lists the methods of a known path, and gets 404 for an unknown path`() async {
        let router = router((.post, "/a"), (.get, "/b"))
        let response = await router.respond(to: Request(.options, path: "/a"))
        #expect(response.status == .noContent)
        #expect(response.headers["Allow"] == "OPTIONS, POST")
        #expect(await router.respond(to: Request(.options, path: "/c")).status == .notFound)
    }

    @Test func `OPTIONS * lists the methods of the server`() async {
        let response = await router((.post, "/a"), (.get, "/b")).respond(to: Request(.options, path: "*"))
        #expect(response.status == .noContent)
        #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS, POST")
        #expect(await router((.options, "/{id}")).respond(to: Request(.options, path: "/*")).text == "/{id} id=*")
    }

    @Test func `a handler that is registered for OPTIONS replaces the router's own answer`() async {
        let router = router((.get, "/a"), (.head, "/a"), (.options, "/a"))
        #expect(await router.respond(to: Request(.options, path: "/a")).status == .ok)
    }

    @Test func `if a handler throws a problem, the problem is the response`() async {
        var router = Router()
        router.on(.get, "/a") { _, _ in throw Problem(.gone, "It has ended.") }
        #expect(await router.respond(to: Request(path: "/a")).status == .gone)
    }

    @Test func `if a handler throws an error other than a problem, the error is logged and hidden from the client`()
        async
    {
        struct HiddenError: Error {}
        let seen = Mutex(0)
        var router = Router()
        router.on(.get, "/a") { _, _ in throw HiddenError() }
        router.onError = { error, _ in seen.withLock { $0 += error is HiddenError ? 1 : 0 } }
        let response = await router.respond(to: Request(path: "/a"))
        #expect(response.status == .internalServerError)
        #expect(!response.text.contains("Secret"))
        #expect(seen.withLock { $0 } == 1)
    }

    @Test func `a handler replaces an earlier handler that was registered for the same pattern`() async {
        var router = router((.get, "/a/{id}"))
        router.on(.get, "/a/{name}") { _, parameters in .text("later \(parameters["name"] ?? "-")") }
        #expect(await router.respond(to: Request(path: "/a/b")).text == "later b")
    }

    @Test func `a request has the index of its route's name, which several routes may share`() {
        var router = Router()
        router.on(.get, "/a") { _, _ in .text("") }
        router.on(.get, "/b/{id}", as: "page") { _, _ in .text("") }
        router.on(.get, "/c", as: "page") { _, _ in .text("") }
        #expect(router.routes == [Route(.get, "/a"), Route(.get, "page")])
        for (path, expected) in [("/a", 0), ("/b/7", 1), ("/c", 1), ("/d", nil)] {
            var number: Int?
            _ = router.reply(to: Request(path: path), by: &number)
            #expect(number == expected, "\(path)")
        }
    }
}
