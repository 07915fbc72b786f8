import Foundation
import LocalhostClient
import Programs
import Testing

/// Checks the alert rules for operators with Prometheus's own tools.
@Suite("The alert rules in deploy/usher.rules.yaml", .blocking, .timeLimit(.minutes(5)))
struct AlertTests {
    @Test(.enabled(if: Promtool.isInstalled, Promtool.remedy))
    func `promtool accepts the rules file`() throws {
        let rules = try AlertRule.all()
        let verdict = try Program.run(["promtool", "check", "rules", AlertRule.file.path], errors: .together)
        #expect(verdict.status == 0 && verdict.output.contains("\(rules.count) rules found"), "\(verdict.output)")
    }

    @Test func `each alert has a unique name, an expression, a severity, a summary and an action`() throws {
        let rules = try AlertRule.all()
        #expect(Set(rules.map(\.name)).count == rules.count)
        #expect(Set(rules.map(\.expression)).count == rules.count)
        for rule in rules {
            #expect(rule.name.hasPrefix("Usher") && rule.name.allSatisfy(\.isLetter), "\(rule)")
            #expect(!rule.expression.isEmpty && !rule.summary.isEmpty && !rule.action.isEmpty, "\(rule)")
            #expect(["critical", "warning"].contains(rule.severity), "\(rule)")
        }
    }

    @Test(.enabled(if: Promtool.isInstalled, Promtool.remedy))
    func `each alert fires for its causes, and no alert fires for a healthy server`() throws {
        let folder = try TemporaryFolder()
        let names = Set(try AlertRule.all().map(\.name))
        try #require(Set(Self.causes.flatMap(\.alerts)) == names)
        var groups = [group(Self.healthy, expecting: [])]
        for cause in Self.causes {
            groups.append(group(Self.healthy.merging(cause.series) { $1 }, expecting: cause.alerts))
        }
        let head = "rule_files: ['\(AlertRule.file.path)']\nevaluation_interval: 1m\ntests:\n"
        try folder.write(Array("\(head)\(groups.joined())".utf8), to: "tests.yaml")
        let verdict = try Program.run(["promtool", "test", "rules", folder("tests.yaml")], errors: .together)
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    @Test func `operating.md lists the same alerts as the rules file`() throws {
        let document = URL(filePath: #filePath).appending(path: "../../../../docs/operating.md").standardized
        let text = try String(contentsOf: document, encoding: .utf8)
        let sections = text.components(separatedBy: "\n## ")
        let alerts = try #require(sections.first { $0.hasPrefix("Alerts\n") })
        let listed = alerts.components(separatedBy: "`").filter { $0.hasPrefix("Usher") }
        let names = try AlertRule.all().map(\.name)
        #expect(listed.sorted() == names.sorted())
    }

    /// Returns a test of one hour, with a sample per minute, in which exactly these alerts fire at the end.
    private func group(_ series: [String: String], expecting alerts: [String]) -> String {
        let input = series.sorted { $0.key < $1.key }.map { "      - {series: '\($0.key)', values: '\($0.value)'}\n" }
        let firing = alerts.map { "          - {labels: '{alertname=\"\($0)\"}', value: 1}\n" }
        return """
              - interval: 1m
                input_series:
            \(input.joined())    promql_expr_test:
                  - expr: 'count by (alertname) (ALERTS{alertstate="firing"})'
                    eval_time: 60m
                    exp_samples:\(firing.isEmpty ? " []" : "")
            \(firing.joined())
            """
    }

    private static func name(_ metric: String, _ labels: String...) -> String {
        "\(metric){\((["job=\"usher\"", "instance=\"a:8080\""] + labels).joined(separator: ","))}"
    }

    private static let never = "0x60"
    private static let lately = "0x57 1x3"

    /// The metrics of a healthy server.
    private static let healthy = [
        name("usher_coordinators_leaked_total"): never,
        name("usher_events_total", "app=\"a\"", "outcome=\"accepted\""): "0+100x60",
        name("usher_events_total", "app=\"a\"", "outcome=\"failed\""): never,
        name("usher_events_total", "app=\"a\"", "outcome=\"unavailable\""): never,
        name("usher_journal_commit_failures_total"): never,
        name("usher_incidents_total", "kind=\"diverged\""): never,
        name("usher_incidents_total", "kind=\"held\""): never,
        name("usher_incidents_total", "kind=\"guilty\""): never,
        name("usher_sessions", "state=\"awake\""): "50x60",
        name("usher_sessions", "state=\"hibernated\""): "800x60",
        name("usher_sessions_limit"): "1000x60",
        name("usher_journal_commit_duration_seconds_bucket", "le=\"0.05\""): "0+100x60",
        name("usher_journal_commit_duration_seconds_bucket", "le=\"0.25\""): "0+100x60",
        name("usher_journal_commit_duration_seconds_bucket", "le=\"+Inf\""): "0+100x60",
        name("usher_journal_outcomes_unknown_total"): never,
        name("usher_clock_jumps_total"): never,
        name("usher_clock_offset_seconds"): "0.2x60",
        name("usher_log_lines_dropped_total"): never,
        name("usher_effect_threads"): "2x60",
        name("usher_refused_total", "limit=\"server\"", "work=\"session\""): never,
        name("usher_refused_total", "limit=\"address\"", "work=\"session\""): "0+30x60",
        name("process_open_fds"): "100x60",
        name("process_max_fds"): "1024x60",
        name("process_start_time_seconds"): "1000x57 2000x3",
    ]

    /// The metrics that differ in a failure, and the alerts that fire for it.
    private static let causes: [(alerts: [String], series: [String: String])] = [
        (["UsherCoordinatorsLeak"], [name("usher_coordinators_leaked_total"): lately]),
        (["UsherHandlersFail"], [name("usher_events_total", "app=\"a\"", "outcome=\"failed\""): lately]),
        (["UsherInputsUnavailable"], [name("usher_events_total", "app=\"a\"", "outcome=\"unavailable\""): lately]),
        (["UsherCommitsFail"], [name("usher_journal_commit_failures_total"): lately]),
        (
            ["UsherNewestBuildDiverges", "UsherSessionsNotRestored"],
            [name("usher_incidents_total", "kind=\"diverged\""): lately]
        ),
        (["UsherSessionsNotRestored"], [name("usher_incidents_total", "kind=\"held\""): lately]),
        (["UsherGuiltyInput"], [name("usher_incidents_total", "kind=\"guilty\""): lately]),
        (["UsherSessionsNearLimit"], [name("usher_sessions", "state=\"hibernated\""): "870x60"]),
        (
            ["UsherCommitsSlow"],
            [name("usher_journal_commit_duration_seconds_bucket", "le=\"0.05\""): "0+90x60"]
        ),
        (["UsherDatabaseSilent", "UsherOutcomesUnknown"], [name("usher_journal_outcomes_unknown_total"): lately]),
        (["UsherClockWrong"], [name("usher_clock_offset_seconds"): "-61x60"]),
        (["UsherClockJumped"], [name("usher_clock_jumps_total"): lately]),
        (["UsherLogLinesDropped"], [name("usher_log_lines_dropped_total"): lately]),
        (["UsherEffectThreadsBlocked"], [name("usher_effect_threads"): "128x60"]),
        (["UsherServerFull"], [name("usher_refused_total", "limit=\"server\"", "work=\"session\""): lately]),
        (
            ["UsherAddressLimited"],
            [name("usher_refused_total", "limit=\"address\"", "work=\"session\""): "0+120x60"]
        ),
        (["UsherDescriptorsNearLimit"], [name("process_open_fds"): "900x60"]),
        (["UsherWorkerRestarts"], [name("process_start_time_seconds"): "1000x50 2000x5 3000x5"]),
    ]
}

/// A rule of `deploy/usher.rules.yaml`, where each member is on its own line.
private struct AlertRule {
    let name: String
    var expression = ""
    var severity = ""
    var summary = ""
    var action = ""

    static let file = DeployedProxy.folder.appending(path: "usher.rules.yaml")

    /// Returns the rules in their order.
    static func all() throws -> [AlertRule] {
        var rules: [AlertRule] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            if let name = value(of: "- alert:", in: line) { rules.append(AlertRule(name: name)) }
            guard let last = rules.indices.last else { continue }
            if let text = value(of: "expr:", in: line) { rules[last].expression = text }
            if let text = value(of: "labels: { severity:", in: line) { rules[last].severity = text }
            if let text = value(of: "summary:", in: line) { rules[last].summary = text }
            if let text = value(of: "action:", in: line) { rules[last].action = text }
        }
        return rules
    }

    /// Returns the value behind a key without its quotes, or nil if the line has another key.
    private static func value(of key: String, in line: String) -> String? {
        guard line.hasPrefix(key) else { return nil }
        return line.dropFirst(key.count).trimmingCharacters(in: CharacterSet(charactersIn: " '\"}"))
    }
}
