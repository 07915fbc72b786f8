import Foundation
import HelloBye
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The endpoint /metrics")
struct MetricsEndpointTests {
    @Test(arguments: Surface.allCases)
    func `the endpoint returns Prometheus text that describes each metric once, before its samples`(on surface: Surface)
        async throws
    {
        try await surface.serve([HelloByeApp.self]) { stage in
            _ = try await stage.open("hello-bye")
            let answer = try await stage.request(.get, "/metrics")
            #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.headers["Cache-Control"] == "no-store")
            var described: [String] = []
            for line in answer.text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if line.hasPrefix("# HELP ") {
                    #expect(!described.contains(String(words[2])))
                    described.append(String(words[2]))
                } else if line.hasPrefix("# TYPE ") {
                    #expect(described.last == String(words[2]))
                } else {
                    #expect(line.hasPrefix(described.last ?? "-"), "\(line)")
                }
            }
            #expect(answer.text.hasSuffix("\n"))
        }
    }

    @Test func `the metrics of the process and the build have the names that common dashboards use`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let samples = try await stage.samples()
            #expect(samples[#"usher_build_info{version="0.1.0"}"#] == 1)
            #expect(samples["usher_ready"] == 1)
            for name in ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes"] {
                #expect(samples[name] ?? 0 > 0, "\(name)")
            }
            #expect(samples["process_open_fds"] ?? 0 >= 3)
            #expect(samples["process_max_fds"] ?? 0 >= samples["process_open_fds"] ?? 0)
            #expect(samples["process_threads"] ?? 0 >= 1)
            let age = Date().timeIntervalSince1970 - (samples["process_start_time_seconds"] ?? 0)
            #expect(age > -2 && age < 86_400)
            #expect(try await stage.samples()["process_start_time_seconds"] == samples["process_start_time_seconds"])
        }
    }

    @Test func `each hibernation of a session and each restoration is counted`() async throws {
        var options = ServeOptions.test
        options.idleAfter = .zero
        let application = Application(apps: [HelloByeApp.self], options: options, log: Log(.text, sink: { _ in }))
        let stage = Stage(lines: LogLines()) { request in await application.respond(to: request) }
        let walk = try await stage.open("hello-bye")
        await application.sweep()
        let asleep = try await stage.samples()
        #expect(asleep[#"usher_sessions{state="hibernated"}"#] == 1)
        #expect(asleep[#"usher_sessions{state="awake"}"#] == 0)
        #expect(asleep["usher_coordinators"] == 0)
        #expect(asleep[#"usher_sessions_hibernated_total{app="hello-bye"}"#] == 1)
        #expect(asleep["usher_session_wake_duration_seconds_count"] == 0)
        try await walk.send("bye")
        let awake = try await stage.samples()
        #expect(awake[#"usher_sessions{state="awake"}"#] == 1)
        #expect(awake[#"usher_sessions_woken_total{app="hello-bye"}"#] == 1)
        #expect(awake[#"usher_events_total{app="hello-bye",outcome="accepted"}"#] == 1)
        #expect(awake["usher_session_wake_duration_seconds_count"] == 1)
    }

    @Test func `a server's metrics include its journal if the journal is on disk`() async throws {
        try await Surface.onDisk.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            try await stage.expectGrowth([
                "usher_journal_commit_changes_sum": 1, "usher_journal_commit_changes_count": 1,
                "usher_journal_commit_duration_seconds_count": 1, "usher_journal_commit_failures_total": 0,
            ]) { try await walk.send("bye") }
        }
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let samples = try await stage.samples()
            #expect(!samples.text.contains("usher_journal"))
        }
    }
}
