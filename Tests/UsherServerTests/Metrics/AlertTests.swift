import Foundation
import LocalhostClient
import Programs
import Testing

/// The alerts that the manual tells operators to set, by Prometheus' own tests of rules.
@Suite("Documented alerts", .blocking, .timeLimit(.minutes(5)))
struct AlertTests {
    @Test(.enabled(if: Promtool.isInstalled, Promtool.remedy))
    func `each alert of the manual fires for what it is about, and none for a server that is well`() throws {
        let folder = try TemporaryFolder()
        let alerts = Set(try Self.documented())
        try #require(Set(Self.causes.map(\.alert)) == alerts)
        var groups = [group(Self.well, expecting: alerts.sorted().map { ($0, false) })]
        for cause in Self.causes {
            let series = Self.well.filter { !cause.series.keys.contains($0.key) }.merging(cause.series) { $1 }
            groups.append(group(series, expecting: [(cause.alert, true)]))
        }
        try folder.write(Array("tests:\n\(groups.joined())".utf8), to: "tests.yaml")
        let verdict = try Program.run(["promtool", "test", "rules", folder("tests.yaml")], errors: .together)
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    /// The expressions of the manual's tables, in their order.
    private static func documented() throws -> [String] {
        let folder = URL(filePath: #filePath).appending(path: "../../../../docs").standardized
        return try ["operating.md", "cluster.md"].flatMap { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return text.components(separatedBy: "| when | why |\n").dropFirst().flatMap { table in
                table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }.flatMap(expressions)
            }
        }
    }

    /// The expressions of a row: none where its condition is in words.
    private static func expressions(in row: Substring) -> [String] {
        let cell = row.replacing("\\|", with: "\u{0}").split(separator: "|")[0]
        let parts = cell.components(separatedBy: "`").enumerated()
        guard parts.allSatisfy({ $0.offset % 2 == 1 || $0.element.allSatisfy(" ,".contains) }) else { return [] }
        return parts.filter { $0.offset % 2 == 1 }.map { $0.element.replacing("\u{0}", with: "|") }
    }

    /// One test of an hour, a sample a minute.
    private func group(_ series: [String: String], expecting alerts: [(alert: String, fires: Bool)]) -> String {
        let input = series.sorted { $0.key < $1.key }.map { "      - {series: '\($0.key)', values: '\($0.value)'}\n" }
        let tests = alerts.map { alert, fires in
            """
                  - expr: 'count(\(alert))'
                    eval_time: 60m
                    exp_samples: [\(fires ? "{labels: '{}', value: 1}" : "")]

            """
        }
        return """
              - interval: 1m
                input_series:
            \(input.joined())    promql_expr_test:
            \(tests.joined())
            """
    }

    private static func name(_ metric: String, _ labels: String...) -> String {
        "\(metric){\((["job=\"usher\"", "instance=\"a:8080\""] + labels).joined(separator: ","))}"
    }

    private static let never = "0x60"
    private static let lately = "0x57 1x3"

    /// What a server that is well says.
    private static let well = [
        name("usher_coordinators_leaked_total"): never,
        name("usher_events_total", "app=\"a\"", "outcome=\"accepted\""): "0+100x60",
        name("usher_events_total", "app=\"a\"", "outcome=\"failed\""): never,
        name("usher_events_total", "app=\"a\"", "outcome=\"unavailable\""): never,
        name("usher_journal_commit_failures_total"): never,
        name("usher_incidents_total", "kind=\"diverged\""): never,
        name("usher_incidents_total", "kind=\"guilty\""): never,
        name("usher_sessions", "state=\"awake\""): "50x60",
        name("usher_sessions", "state=\"hibernated\""): "800x60",
        name("usher_sessions_limit"): "1000x60",
        name("usher_journal_commit_duration_seconds_bucket", "le=\"0.05\""): "0+100x60",
        name("usher_journal_commit_duration_seconds_bucket", "le=\"0.25\""): "0+100x60",
        name("usher_journal_commit_duration_seconds_bucket", "le=\"+Inf\""): "0+100x60",
        name("usher_journal_outcomes_unknown_total"): never,
        name("usher_clock_jumps_total"): never,
        name("usher_log_lines_dropped_total"): never,
        name("usher_effect_threads"): "2x60",
        name("usher_refused_total", "limit=\"server\"", "work=\"session\""): never,
        name("usher_refused_total", "limit=\"address\"", "work=\"session\""): "0+30x60",
        name("process_open_fds"): "100x60",
        name("process_max_fds"): "1024x60",
        name("process_start_time_seconds"): "1000x57 2000x3",
    ]

    /// What it says otherwise where an alert should fire.
    private static let causes: [(alert: String, series: [String: String])] = [
        ("increase(usher_coordinators_leaked_total[1h]) > 0", [name("usher_coordinators_leaked_total"): lately]),
        (
            #"increase(usher_events_total{outcome="failed"}[5m]) > 0"#,
            [name("usher_events_total", "app=\"a\"", "outcome=\"failed\""): lately]
        ),
        (
            #"increase(usher_events_total{outcome="unavailable"}[5m]) > 0"#,
            [name("usher_events_total", "app=\"a\"", "outcome=\"unavailable\""): lately]
        ),
        (
            "increase(usher_journal_commit_failures_total[5m]) > 0",
            [name("usher_journal_commit_failures_total"): lately]
        ),
        (
            #"increase(usher_incidents_total{kind=~"diverged|unavailable"}[1h]) > 0"#,
            [name("usher_incidents_total", "kind=\"diverged\""): lately]
        ),
        (
            #"increase(usher_incidents_total{kind="diverged"}[1h]) > 0"#,
            [name("usher_incidents_total", "kind=\"diverged\""): lately]
        ),
        (
            #"increase(usher_incidents_total{kind="guilty"}[1h]) > 0"#,
            [name("usher_incidents_total", "kind=\"guilty\""): lately]
        ),
        (
            "sum without (state) (usher_sessions) / usher_sessions_limit > 0.9",
            [name("usher_sessions", "state=\"hibernated\""): "870x60"]
        ),
        (
            "histogram_quantile(0.99, rate(usher_journal_commit_duration_seconds_bucket[5m])) > 0.1",
            [name("usher_journal_commit_duration_seconds_bucket", "le=\"0.05\""): "0+90x60"]
        ),
        (
            "increase(usher_journal_outcomes_unknown_total[1h]) > 0",
            [name("usher_journal_outcomes_unknown_total"): lately]
        ),
        (
            "increase(usher_journal_outcomes_unknown_total[5m]) > 0",
            [name("usher_journal_outcomes_unknown_total"): lately]
        ),
        ("increase(usher_clock_jumps_total[1h]) > 0", [name("usher_clock_jumps_total"): lately]),
        ("increase(usher_log_lines_dropped_total[5m]) > 0", [name("usher_log_lines_dropped_total"): lately]),
        ("usher_effect_threads > 100", [name("usher_effect_threads"): "128x60"]),
        (
            #"increase(usher_refused_total{limit="server"}[5m]) > 0"#,
            [name("usher_refused_total", "limit=\"server\"", "work=\"session\""): lately]
        ),
        (
            #"rate(usher_refused_total{limit="address"}[5m]) > 1"#,
            [name("usher_refused_total", "limit=\"address\"", "work=\"session\""): "0+120x60"]
        ),
        ("process_open_fds / process_max_fds > 0.8", [name("process_open_fds"): "900x60"]),
        (
            "changes(process_start_time_seconds[15m]) > 1",
            [name("process_start_time_seconds"): "1000x50 2000x5 3000x5"]
        ),
    ]
}
