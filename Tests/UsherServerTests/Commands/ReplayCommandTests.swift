import HelloBye
import Programs
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON
import UsherSQLite
import UsherServer

@Suite("The command usher replay")
struct ReplayCommandTests {
    @Test func `usher replay prints each state as the client got it`() async throws {
        let journal = try RecordedJournal()
        var states: [String] = []
        var id = ""
        try await journal.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            id = walk.id
            states = [walk.answer.text, try await walk.send("startApp").text, try await walk.send("login").text]
        }
        #expect(try await journal.run("replay", id, apps: [StartLoginMainApp.self]) == (0, [states[2]]))
        for (revision, state) in zip(1..., states) {
            #expect(
                try await journal.run("replay", id, "--to", "\(revision)", apps: [StartLoginMainApp.self])
                    == (0, [state]))
        }
        await expect("the session has no revision 4; it has the revisions 1 to 3") {
            _ = try await journal.run("replay", id, "--to=4", apps: [StartLoginMainApp.self])
        }
    }

    @Test(arguments: ["replay", "export"])
    func `a session that cannot be replayed is reported in one sentence`(command: String) async throws {
        let journal = try RecordedJournal()
        var ended = ""
        var live = ""
        try await journal.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            ended = walk.id
            _ = try await walk.delete()
            live = try await stage.open("hello-bye").id
        }
        let unknown = String(repeating: "0", count: 32)
        await expect("there is no session \(unknown) in this journal") {
            _ = try await journal.run(command, unknown, apps: [HelloByeApp.self])
        }
        await expect("(deleted); its inputs are deleted") {
            _ = try await journal.run(command, ended, apps: [HelloByeApp.self])
        }
        await expect("there is no app \"hello-bye\" in this build") {
            _ = try await journal.run(command, live, apps: [])
        }
    }

    @Test(arguments: [["check"], ["states"], ["states", id], ["replay", id], ["export", id]])
    func `a journal that cannot be inspected is reported in one sentence`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let path = folder("none.sqlite")
        guard
            case .inspect(let command) = try Command(
                arguments + ["--journal=sqlite:\(path)"], environment: { _ in nil })
        else { return }
        await #expect(throws: SQLiteJournalError.missing(path: path)) {
            _ = try await command.run(apps: []) { _ in }
        }
    }

    private static let id = "67c58cb8a5f32cac864b404e3aff6030"

    /// Expects that the output ends with an error in one line.
    private func expect(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await body()
        } throws: { error in
            "\(error)".hasSuffix(words) && !"\(error)".contains("\n")
        }
    }
}
