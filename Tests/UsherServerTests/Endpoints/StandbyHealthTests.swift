import Testing
import UsherHTTP

@testable import UsherServer

/// What is answered while no thread is free for anything else.
@Suite struct StandbyHealthTests {
    @Test(arguments: [
        (Method.get, "/healthz", 200), (.head, "/healthz", 200), (.get, "/readyz", 200), (.post, "/healthz", 503),
        (.get, "/sessions", 503), (.post, "/sessions", 503), (.get, "/", 503),
    ])
    func `health is answered, and everything else refused for now`(method: Method, path: String, status: Int) {
        let response = HealthEndpoints(readiness: Readiness()).standby(Request(method, path: path))
        #expect(response.status.code == status)
        #expect(response.headers.contains("Retry-After") == (status == 503))
    }

    @Test func `a server that drains is not ready there either`() {
        let readiness = Readiness()
        readiness.drain()
        #expect(HealthEndpoints(readiness: readiness).standby(Request(path: "/readyz")).status.code == 503)
    }

    @Test func `what is held up is logged once a minute, with what has come since`() {
        let lines = LogLines()
        let log = ShortageLog(Log(.text, milliseconds: { 0 }, sink: lines.add))
        var counts = ShortageLog.Counts()
        log.note(counts, at: 0)
        counts.closedUnused = 3
        log.note(counts, at: 1)
        counts.closedUnused = 5
        log.note(counts, at: 2)
        log.note(counts, at: 61_000_000_000)
        #expect(lines.all.count == 2)
        #expect(lines.all.first?.contains("closedUnused=\"3\"") == true)
        #expect(lines.all.last?.contains("closedUnused=\"2\"") == true)
    }
}
