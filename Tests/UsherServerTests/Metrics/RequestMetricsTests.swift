import HelloBye
import LocalhostClient
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Metrics of requests")
struct RequestMetricsTests {
    @Test(arguments: Surface.allCases)
    func `a request is counted by its route and status, and the session's id is not in the label`(on surface: Surface)
        async throws
    {
        try await surface.serve([TrialApp.self]) { stage in
            let walk = try await stage.open("trial")
            let name = requests("GET", "/sessions/{id}", 200)
            try await stage.expectGrowth([
                name: 2, requests("GET", "/sessions/{id}", 304): 1, requests("POST", "/sessions/{id}/events", 422): 1,
                requests("POST", "/sessions/{id}/events", 400): 1, requests("GET", "/metrics", 200): 1,
                #"usher_http_request_duration_seconds_count{method="GET",route="/sessions/{id}"}"#: 3,
                #"usher_http_request_duration_seconds_bucket{method="GET",route="/sessions/{id}",le="+Inf"}"#: 3,
            ]) {
                for _ in 0..<2 { _ = try await walk.state() }
                _ = try await walk.state(headers: ["If-None-Match": "\"1\""])
                try await walk.send("refuse")
                try await walk.post("{")
            }
            let samples = try await stage.samples()
            #expect(!samples.text.contains(walk.id))
            let sum = #"usher_http_request_duration_seconds_sum{method="GET",route="/sessions/{id}"}"#
            #expect(try #require(samples[sum]) > 0)
        }
    }

    @Test(arguments: Surface.allCases)
    func `requests that match no route are counted together, whatever their method and path`(on surface: Surface)
        async throws
    {
        try await surface.serve([TrialApp.self]) { stage in
            try await stage.expectGrowth([
                #"usher_http_requests_total{method="other",route="none",code="404"}"#: 2,
                #"usher_http_requests_total{method="other",route="none",code="405"}"#: 1,
                #"usher_http_requests_total{method="other",route="none",code="403"}"#: 1,
            ]) {
                for path in ["/nowhere", "/elsewhere"] { _ = try await stage.request(.get, path) }
                _ = try await stage.request(.delete, "/apps")
                _ = try await stage.request(.get, "/apps", headers: ["Origin": "http://evil.example"])
            }
            let samples = try await stage.samples()
            #expect(!samples.text.contains("nowhere"))
        }
    }

    @Test func `requests that are refused before they are routed are counted`() async throws {
        try await Surface.localhost.serve([TrialApp.self]) { stage in
            try await stage.expectGrowth([
                #"usher_http_requests_total{method="other",route="none",code="414"}"#: 1
            ]) { _ = try await stage.request(.get, "/" + String(repeating: "x", count: 3_000)) }
            let samples = try await stage.samples()
            #expect(samples["usher_http_connections"] ?? 0 >= 1)
            #expect(samples["usher_http_requests_in_flight"] ?? 0 >= 1)
        }
    }

    @Test func `the metrics count the open streams and the streams that have ended`() async throws {
        try await withServer([HelloByeApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
            let path = try #require(opened["Location"])
            let watcher = try StreamClient(server.port, path)
            #expect(try watcher.next() == "state 1")
            let open = Samples(try client.request("GET", "/metrics").text)
            #expect(open["usher_streams"] == 1)
            #expect(open["usher_watchers"] == 1)
            #expect(open["usher_streams_opened_total"] == 1)
            #expect(open["usher_stream_stalls_total"] == 0)
            #expect(try client.request("DELETE", path).status == 204)
            while try watcher.next() != nil {}
            let closed = Samples(try client.request("GET", "/metrics").text)
            #expect(closed["usher_streams_opened_total"] == 1)
        }
    }

    @Test func `each route's number of failures is reported as 0 before the first failure`() async throws {
        try await Surface.inProcess.serve([TrialApp.self]) { stage in
            let samples = try await stage.samples()
            #expect(samples[requests("POST", "/sessions/{id}/events", 500)] == 0)
            #expect(samples[requests("POST", "/sessions/{id}/events", 503)] == 0)
        }
    }

    private func requests(_ method: String, _ route: String, _ code: Int) -> String {
        #"usher_http_requests_total{method="\#(method)",route="\#(route)",code="\#(code)"}"#
    }
}
