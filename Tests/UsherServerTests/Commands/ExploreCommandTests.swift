import Foundation
import HelloBye
import LocalhostClient
import Programs
import Sooda
import Testing
import Usher
import UsherBytes
import UsherExploration
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The command usher explore", .blocking, .timeLimit(.minutes(5)))
struct ExploreCommandTests {
    @Test(arguments: [
        ([], "\"explore\" takes one app"), (["a", "b"], "\"explore\" takes one app"),
        (["a", "--as", "png"], "--as takes"),
        (["a", "--states", "0"], "--states takes a number"), (["a", "--time", "soon"], "--time takes a time"),
        (["a", "--screens", "65"], "--screens takes a number"), (["a", "--all"], "unknown option"),
        (["a", "--seed", "-1"], "--seed takes a number"), (["a", "--sources", "/none"], "--sources: "),
        (["a", "--page", "here"], "--page takes a scheme and a host"),
    ])
    func `usher explore refuses wrong arguments with one sentence`(arguments: [String], words: String) {
        let error = #expect(throws: UsageError.self) {
            try Command(["explore"] + arguments, environment: { _ in nil })
        }
        #expect(error?.reason.hasPrefix(words) == true, "\(error?.reason ?? "")")
    }

    @Test func `usher explore refuses an unknown app with a list of the apps`() async throws {
        let error = await #expect(throws: (any Error).self) { try await run("lader") }
        #expect(
            "\(error as Any)".contains(
                "there is no app \"lader\" in this executable; its apps are bell, hello-bye, ladder, sooda"))
    }

    @Test(arguments: ["{", "[1]", ""])
    func `options that are not a JSON object are a usage error`(options: String) async throws {
        let error = await #expect(throws: UsageError.self) { try await run("hello-bye", "--options", options) }
        #expect(error?.reason.hasPrefix("--options takes a JSON object") == true, "\(error as Any)")
    }

    @Test func `if the app cannot decode the options, the report says that the app cannot be opened`() async throws {
        let end = try await run("hello-bye", "--options", #"{"greeting":7}"#)
        #expect(end.status == 1)
        #expect(end.report.contains { $0.hasPrefix("wrong: unopened: the app does not open: ") })
    }

    @Test func `the export of tests fails with the reason if the app cannot be opened`() async throws {
        var report: [String] = []
        await #expect(throws: (any Error).self) {
            _ = try await run("hello-bye", "--tests", "--options", #"{"greeting":7}"#) { report.append($0) }
        }
        #expect(report.contains { $0.hasPrefix("wrong: unopened: the app does not open: ") }, "\(report)")
    }

    @Test func `the report escapes control characters in an app's texts`() async throws {
        let end = try await run("bell")
        #expect(end.report.contains { $0.contains(#"not \u001b[31mlike\u0007 this\u000a"#) }, "\(end.report)")
        #expect(!end.report.contains { $0.hasControls })
    }

    @Test func `--as and --tests exclude each other`() async throws {
        let error = await #expect(throws: UsageError.self) { try await run("hello-bye", "--tests", "--as", "json") }
        #expect(error?.reason.hasPrefix("--as and --tests exclude each other") == true, "\(error as Any)")
    }

    @Test
    func `if the screen limit is reached, no screen counts as unreachable, and no state counts as a dead end`()
        async throws
    {
        let end = try await run("sooda", "--screens", "1")
        let wrong = end.report.filter { $0.contains("unreachable") || $0.contains("untaken") || $0.contains("dead") }
        #expect(wrong.isEmpty && end.report.contains { $0.contains("at most 1 screens") }, "\(end.report)")
    }

    @Test func `if several inputs reach a limit, the limit is reported once, with the number of other places`()
        async throws
    {
        let end = try await run("sooda", "--screens", "1")
        let limits = end.report.filter { $0.hasPrefix("note: limit: ") }
        #expect(limits.count == 1 && limits.allSatisfy { $0.hasSuffix(" other places)") }, "\(end.report)")
        let json = try JSONDocument(
            parsing: Array(try await run("sooda", "--screens", "1", "--as", "json").output.utf8)
        ).root
        let finding = try #require(json[member: "findings"]?.elements.first { $0[member: "kind"]?.string == "limit" })
        #expect((finding[member: "otherPlaces"]?.integer ?? 0) > 0)
    }

    @Test func `the map and the findings are printed to separate outputs, and the status is 0 if nothing is wrong`()
        async throws
    {
        let end = try await run("hello-bye")
        #expect(end.status == 0)
        #expect(end.report.first == "hello-bye (complete): 2 states, 2 of 2 inputs tried, 2 of 2 screens")
        #expect(end.report.last == "nothing is wrong")
        #expect(end.output.hasPrefix("flowchart TD\n"))
        #expect(try await run("hello-bye", "--as", "dot").output.hasPrefix("digraph \"hello-bye\" {\n"))
    }

    @Test func `the report in JSON has the states, the inputs, and the findings with the paths to them`() async throws {
        let end = try await run("ladder", "--as", "json", "--depth", "1")
        #expect(end.status == 1)
        let json = try JSONDocument(parsing: Array(end.output.utf8)).root
        #expect(json[member: "complete"]?.boolean == false && json[member: "bound"]?.string == "depth")
        #expect(json[member: "states"]?.elements.first { _ in true }?[member: "screen"]?.string == "bottom")
        let inputs = json[member: "inputs"].map { Array($0.elements) } ?? []
        #expect(inputs.compactMap { $0[member: "label"]?.string } == ["climb", "rest", "wait", "message storm"])
        let finding = try #require(json[member: "findings"]?.elements.first { _ in true })
        #expect(finding[member: "kind"]?.string == "incomplete" && finding[member: "wrong"]?.boolean == true)
        #expect(finding[member: "curl"]?.string?.contains("/sessions") == true)
        #expect(finding[member: "swift"]?.string?.contains("AppUnderTest") == true)
    }

    @Test func `the path to each finding can be exported as a script, a test and a link`() async throws {
        let folder = try TemporaryFolder()
        let ways = folder("ways")
        _ = try await run("ladder", "--depth", "1", "--ways", ways)
        let names = try FileManager.default.contentsOfDirectory(atPath: ways).sorted()
        #expect(names == ["1-incomplete.link", "1-incomplete.sh", "1-incomplete.swift"])
        let link = try String(contentsOfFile: "\(ways)/1-incomplete.link", encoding: .utf8)
        #expect(link.hasPrefix("http://127.0.0.1:8080/#/import?export=%7B%22usher%22%3A%22session%201%22"))
        #expect(try Program.run(["bash", "-n", "\(ways)/1-incomplete.sh"]).status == 0)
        await #expect(throws: (any Error).self) { try await run("ladder", "--ways", ways) }
    }

    @Test func `usher explore shows the progress if the output is a terminal`() async throws {
        let end = try await run("ladder")
        #expect(end.progress.last == "")
        #expect(end.progress.first?.contains("states, ") == true && end.progress.first?.hasPrefix("[") == true)
    }

    @Test func `the tests that are exported for all inputs are equal to the recorded file`() async throws {
        let end = try await run("ladder", "--tests")
        #expect(end.status == 0, "\(end.report)")
        let head = "// swift-format-ignore-file\n// As they were exported; USHER_RECORD=1 writes them anew.\n"
        let text = (head + end.output + "\n").replacing("\n@testable import UsherServerTests\n", with: "")
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded/ExploredLadder.swift")
        if ProcessInfo.processInfo.environment["USHER_RECORD"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `an exported test fails if the app no longer has the input that the test sends`() {
        LadderApp.$lacksClimb.withValue(true) {
            withKnownIssue { try exploredWay2() }
        }
    }

    @Test func `the command usher explore tries each app in child processes`() throws {
        let end = try Program.run(["\(Program.products)/usher", "explore", "start-login-main"])
        #expect(end.status == 0, "\(end.error)")
        #expect(end.error.contains("start-login-main (complete): 4 states, 11 of 11 inputs tried, 3 of 3 screens"))
    }

    @Test func `the export of each finding opens a session in the finding's state`() async throws {
        let end = try await run("sooda", "--as", "json", "--states", "40")
        let root = try JSONDocument(parsing: Array(end.output.utf8)).root
        let findings = root[member: "findings"].map { Array($0.elements) } ?? []
        let exports = findings.compactMap { $0[member: "export"] }
        try #require(!exports.isEmpty)
        try await Surface.inProcess.serve([SoodaApp.self]) { stage in
            for export in exports {
                let opened = try await stage.request(.post, "/admin/import", body: export.text)
                #expect(opened.status == 201, "\(opened.text)")
                let entries = export[member: "entries"].map { Array($0.elements) } ?? []
                let id = opened["session"]?.string ?? ""
                let past = try await stage.request(.get, "/admin/sessions/\(id)/at/\(entries.count)")
                let visible = entries.last?[member: "visible"]?.string?.split(separator: " ").first
                #expect(past["stack"]?.elements.map { $0 }.last?[member: "screen"]?.string == visible.map(String.init))
            }
        }
        // The findings without a state come next.
        let refusal = findings.first { $0[member: "kind"]?.string == "refusal" }
        #expect(refusal?[member: "next"]?.kind == .object)
    }

    private func run(
        _ arguments: String..., tell: (String) -> Void = { _ in }
    ) async throws -> (status: Int32, output: String, report: [String], progress: [String]) {
        guard case .explore(let command) = try Command(["explore"] + arguments, environment: { _ in nil }) else {
            throw NoSuchCommand()
        }
        let apps: [any App.Type] = [LadderApp.self, HelloByeApp.self, SoodaApp.self, BellApp.self]
        let app = apps.first { $0.name == arguments.first } ?? HelloByeApp.self
        var (output, report, progress): ([String], [String], [String]) = ([], [], [])
        let streams = ExploreCommand.Streams(
            output: { output.append($0) }, report: { report.append($0) }, progress: { progress.append($0) })
        defer { report.forEach(tell) }
        let status = try await command.run(
            apps: apps, in: ProbesInProcess(app), streams)
        return (status, output.joined(separator: "\n"), report, progress)
    }

    private struct NoSuchCommand: Error {}
}

/// An app whose refusals contain control characters, which would ring a terminal's bell or color text.
private enum BellApp: App {
    struct Options: Codable, Sendable {}

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { BellCoordinator() }
}

private struct BellScreen: Screen {
    enum Event: Codable { case ring }
    static let examples: [Event] = [.ring]
}

private final class BellCoordinator: Coordinator<Never> {
    override func start() {
        push(BellScreen()) { _, _ in throw Refusal("not \u{1B}[31mlike\u{7} this\n") }
    }
}
