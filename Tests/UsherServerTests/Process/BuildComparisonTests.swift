import Foundation
import LocalhostClient
import Programs
import ServerCluster
import Testing
import UsherJSON

/// Tests of the comparison of two builds of an app, as a release manager sees it.
@Suite("Comparing two builds with usher check --against", .blocking, .timeLimit(.minutes(5)))
struct BuildComparisonTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `if a build sorts a list differently, the report shows both orders`() throws {
        try serve()
        let end = try check("order", against: build("first"))
        #expect(end.status == 1, "\(end.error)")
        let lines = end.output.split(separator: "\n")
        #expect(
            lines.prefix(3) == [
                "3 live sessions: 3 unchanged",
                "3 of 3 unchanged sessions have a different state in the other build",
                "3 differ, shop: stack[0].state.goods of the screen goods",
            ])
        let (tea, rice) = (#"{"name":"tea","cents":250}"#, #"{"name":"rice","cents":800}"#)
        #expect(lines.count == 4 && lines[3].hasSuffix(": [\(tea),\(rice)], and now [\(rice),\(tea)]"))
    }

    @Test func `a price that differs is reported for each place where it appears, the most frequent place first`()
        throws
    {
        let paying = try serve()
        let end = try check("price", against: build("first"))
        #expect(end.status == 1, "\(end.error)")
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines[2] == "3 differ, shop: stack[0].state.goods[].cents of the screen goods")
        #expect(lines[3].hasSuffix(": 250, and now 350"))
        #expect(lines[4] == "2 differ, shop: stack[1].state.cents of the screen pay")
        #expect(lines[5] == "  such as \(paying[0]) at revision 2: 1050, and now 1150")
    }

    @Test func `the report in JSON has each place that differs, with both values`() throws {
        try serve()
        let end = try check("price", against: build("first"), "--as", "json")
        let against = try JSONDocument(parsing: Array(end.output.utf8.dropLast())).root[member: "against"]
        #expect(against?[member: "compared"]?.integer == 3 && against?[member: "differing"]?.integer == 3)
        let places = try #require(against?[member: "places"]?.elements)
        let place = try #require(places.first { $0[member: "screen"]?.string == "pay" })
        #expect(place[member: "place"]?.string == "stack[1].state.cents" && place[member: "sessions"]?.integer == 2)
        #expect(place[member: "example"]?[member: "old"]?.string == "1050")
        #expect(place[member: "example"]?[member: "new"]?.string == "1150")
    }

    @Test func `builds with the same states have no differences, and sessions that were resumed are not compared`()
        throws
    {
        try serve()
        let same = try check("first", against: build("first"))
        #expect(same.status == 0, "\(same.error)")
        #expect(same.output.hasSuffix("0 of 3 unchanged sessions have a different state in the other build\n"))
        let resumed = try check("screen", against: build("first"))
        #expect(resumed.output.hasPrefix("3 live sessions: 1 unchanged, 2 resumed\n"), "\(resumed.error)")
        #expect(resumed.output.hasSuffix("0 of 1 unchanged sessions have a different state in the other build\n"))
    }

    @Test func `a journal in a database can be checked and compared while its servers run`() throws {
        let cluster = try SampleCluster.shared
        let opened = try cluster.client().request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        let id = String(try #require(opened["Location"]).dropFirst("/sessions/".count))
        let program = "\(Program.products)/usher-postgres"
        let journal = ["--journal", cluster.database.uri(as: "usher_owner"), "--journal-key", "none"]
        let end = try Program.run([program, "check"] + journal + ["--against", program])
        #expect(end.output.contains("\n0 of "))
        #expect(end.output.hasSuffix(" unchanged sessions have a different state in the other build\n"), "\(end.error)")
        let states = try Program.run([program, "states", id] + journal)
        #expect(states.output.hasPrefix(#"{"session":"\#(id)","app":"hello-bye","revision":1,"fate":"unchanged","#))
    }

    @Test func `usher states prints one line of JSON per session, for all sessions or for the named sessions`() throws {
        let paying = try serve()
        let all = try Program.run([Self.program, "states"] + journal)
        let lines = all.output.split(separator: "\n")
        #expect(lines.count == 3 && all.status == 0, "\(all.error)")
        let ids = try lines.map { line in
            let json = try JSONDocument(parsing: Array(line.utf8)).root
            #expect(json[member: "app"]?.string == "shop" && json[member: "fate"]?.string == "unchanged")
            let state = try #require(json[member: "state"])
            #expect(state[member: "revision"]?.integer == json[member: "revision"]?.integer)
            return json[member: "session"]?.string ?? ""
        }
        #expect(ids == ids.sorted() && Set(paying).isSubset(of: ids))
        let named = try Program.run([Self.program, "states", paying[1]] + journal)
        #expect(named.output == (lines.first { $0.contains(paying[1]) } ?? "") + "\n")
        let unknown = String(repeating: "0", count: 32)
        let none = try Program.run([Self.program, "states", unknown] + journal)
        #expect(none.status == 1 && none.error == "usher: there is no live session \(unknown) in this journal\n")
        let wrong = try Program.run([Self.program, "states", "x"] + journal)
        #expect(wrong.status == 2 && wrong.error.contains("\"x\" is not a session's id"))
    }

    @Test(arguments: [
        ("/nowhere/usher", "cannot start /nowhere/usher: No such file or directory"),
        ("/tmp", "cannot start /tmp: Permission denied"),
        ("/bin/true", "/bin/true printed no session; use a build that has the command \"states\""),
        ("/bin/echo", "/bin/echo printed a line that is not a state, so the executable is not a build of this program"),
        ("/bin/false", "the other build has ended with exit 1; run \"/bin/false states --journal sqlite:"),
    ])
    func `a program that does not print states is refused with one sentence`(program: String, words: String) throws {
        try serve()
        let end = try check("first", against: program)
        #expect(end.status == 1 && end.output.isEmpty)
        #expect(end.error.hasPrefix("usher: --against: \(words)"), "\(end.error)")
        #expect(end.error.split(separator: "\n").count == 1)
    }

    @Test func `a build that fails half-way causes an error, and is not reported as a build without differences`()
        throws
    {
        try serve()
        let script = folder("failing")
        try write("BUILD=first '\(Self.program)' \"$@\" | head -n 1\nexit 3", to: script)
        let end = try check("first", against: script)
        #expect(end.status == 1 && end.output.isEmpty)
        #expect(end.error.contains("the other build has ended with exit 3"), "\(end.error)")
    }

    @Test func `--against with an empty path is a usage error`() throws {
        let end = try check("first", against: "")
        #expect(end.status == 2 && end.error.contains("--against takes the path"), "\(end.error)")
    }

    private static let program = "\(Program.products)/ReleaseProgram"

    private var journal: [String] { ["--journal", "sqlite:\(folder("journal.sqlite"))"] }

    /// Opens three sessions with the first build, two of which are about to pay.
    ///
    /// - Returns: These two.
    @discardableResult
    private func serve() throws -> [String] {
        let server = try Program(
            [Self.program, "serve", "--port", "0"] + journal, environment: environment(of: "first"))
        let client = LocalhostClient(port: try #require(server.readPort()))
        let ids = try (0..<3).map { _ in
            let opened = try client.request("POST", "/sessions", body: #"{"app":"shop"}"#)
            return String(try #require(opened["Location"]).dropFirst("/sessions/".count))
        }
        for id in ids.dropFirst() {
            #expect(try client.request("POST", "/sessions/\(id)/events", body: #"{"event":"pay"}"#).status == 200)
        }
        server.send(SIGTERM)
        #expect(server.finish().status == 0)
        return ids.dropFirst().sorted()
    }

    /// Runs the check of a build on the journal.
    private func check(_ build: String, against program: String, _ options: String...) throws -> ProgramEnd {
        try Program(
            [Self.program, "check"] + journal + ["--against", program] + options, environment: environment(of: build)
        ).finish()
    }

    /// Returns the executable of a build.
    private func build(_ name: String) throws -> String {
        let script = folder(name)
        try write("BUILD=\(name) exec '\(Self.program)' \"$@\"", to: script)
        return script
    }

    private func write(_ script: String, to path: String) throws {
        let text = folder("text")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: text))
        // Another process writes the file. Otherwise, a child that is just being started could have it open, and it
        // could not be run.
        let end = try Program.run(["sh", "-c", #"cat "$0" > "$1" && chmod 700 "$1""#, text, path])
        #expect(end.status == 0, "\(end.error)")
    }

    private func environment(of build: String) -> [String: String] {
        Program.environment.merging(["BUILD": build]) { _, new in new }
    }
}
