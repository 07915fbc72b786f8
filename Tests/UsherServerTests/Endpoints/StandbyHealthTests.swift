import Testing
import UsherHTTP

@testable import UsherServer

/// Tests of the responses while no thread is free for other work.
@Suite struct StandbyHealthTests {
    @Test(arguments: [
        (Method.get, "/healthz", 200), (.head, "/healthz", 200), (.get, "/readyz", 200), (.post, "/healthz", 503),
        (.get, "/sessions", 503), (.post, "/sessions", 503), (.get, "/", 503),
    ])
    func `the standby daemon answers health requests, and answers every other request with 503 or 404`(
        method: Method, path: String, status: Int
    ) {
        let response = HealthEndpoints(readiness: Readiness()).standby(Request(method, path: path))
        #expect(response.status.code == status)
        #expect(response.headers.contains("Retry-After") == (status == 503))
    }

    @Test func `the standby daemon of a draining server reports that the server is not ready`() {
        let readiness = Readiness()
        readiness.drain()
        #expect(HealthEndpoints(readiness: readiness).standby(Request(path: "/readyz")).status.code == 503)
    }
}
