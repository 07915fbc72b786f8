import Foundation
import Notes
import Sooda
import Synchronization
import Testing
import Tudy
import Usher
import UsherJSON
import UsherJournal
import UsherServer
import UsherSessions

/// Tests that exports are equal to the files in `Recorded`, which are compiled into this target and pass.
@Suite("The command usher export --as swift", .timeLimit(.minutes(5)))
struct SwiftExportTests {
    @Test func `an exported test sends the recorded gestures and the recorded reports of closed screens`() async throws
    {
        try await expect("RecordedNotes", NotesApp.self) { walk in
            for input in [
                #"{"event":"showSettings"}"#, #"{"dismissed":2}"#, #"{"screen":1,"event":{"showDetail":{"id":1}}}"#,
                #"{"event": {"showDetail": {"id": 2}}}"#, #"{"event":"nonsense"}"#, #"{"popped":4}"#,
                #"{"popped":4}"#, #"{"back":true}"#,
            ] { try await walk(input) }
        }
    }

    @Test func `an exported test contains the options, a waiting link, and texts with quotation marks`()
        async throws
    {
        try await expect(
            "RecordedSooda", SoodaApp.self, options: #"{"launch": {"home": {"workspaceID": 7}}}"#,
            link: #"["tabBar","fly"]"#
        ) { walk in
            for input in [
                #"{"event":"done"}"#, ##"{"event":{"openChannel":{"id":3,"name":"it's \"#1\" \\ \\(x)"}}}"##,
                #"{"select":"dm"}"#,
                #"{"open":["tabBar",{"homeDefault":{"workspaceID":7}},{"channel":{"id":4,"name":"ünï"}}]}"#,
            ] { try await walk(input) }
        }
    }

    @Test func `an exported test selects tabs and dismisses modals`() async throws {
        try await expect("RecordedTudy", TudyApp.self, options: #"{"loggedIn":true}"#) { walk in
            var wanderer = Wanderer(seed: 3)
            for _ in 0..<30 { try await walk(wanderer.input(for: try await walk.state())) }
        }
    }

    @Test func `an exported test delivers results, timers, refused inputs and messages`() async throws {
        try await expect("RecordedParcel", ParcelApp.self) { walk in try await walk.sendParcels() }
    }

    @Test func `an exported test delivers the results of effects that began after a rollback`() async throws {
        try await expect("RecordedParcelRevised", ParcelApp.self, continuedBy: ParcelAppRevised.self) { walk in
            for input in [
                #"{"event":"chain"}"#, #"{"back":true}"#, #"{"event":{"remind":{"after":5000}}}"#, #"{"event":"look"}"#,
            ] { try await walk(input) }
        } then: { walk in
            for input in [#"{"event":"chain"}"#, #"{"back":true}"#, #"{"event":"look"}"#, #"{"back":true}"#] {
                try await walk(input)
            }
            try await walk.wake()
            for input in [#"{"back":true}"#, #"{"event":"refuse"}"#] { try await walk(input) }
        }
    }

    @Test func `an export is refused if another file cannot name the app's type`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([Builds.old]) { stage in id = try await stage.open(Builds.name).id }
        await #expect {
            _ = try await journal.run("export", id, "--as", "swift", apps: [Builds.old])
        } throws: { error in
            "\(error)"
                == "a test cannot name the app \"shop\"; declare the app at the top level of a file, and not as private"
        }
    }

    /// Records a session that is the same in every run, and expects its export to be equal to a file.
    private func expect(
        _ name: String, _ app: any App.Type, options: String = "{}", link: String = "[]",
        continuedBy next: (any App.Type)? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (RecordedWalk) async throws -> Void, then: (RecordedWalk) async throws -> Void = { _ in }
    ) async throws {
        let journal = try RecordedJournal()
        let id = try await journal.use { storage in
            let walk = try await RecordedWalk(
                app, options: options, link: link, seed: name.utf8.reduce(0) { $0 + Int($1) }, in: storage)
            try await body(walk)
            if let next { try await then(RecordedWalk(walk, by: next, in: storage)) }
            return walk.id
        }
        let (status, lines) = try await journal.run("export", id.text, "--as", "swift", apps: [next ?? app])
        #expect(status == 0)
        let head = "// swift-format-ignore-file\n// As it was exported; USHER_RECORD=1 writes it anew.\n"
        // An app of this target needs no import, and could not be imported.
        let text = (head + lines.joined(separator: "\n") + "\n")
            .replacing("\n@testable import UsherServerTests\n", with: "")
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded/\(name).swift")
        if ProcessInfo.processInfo.environment["USHER_RECORD"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, sourceLocation: sourceLocation)
    }
}
