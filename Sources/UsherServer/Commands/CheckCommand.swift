import Usher
import UsherBytes
import UsherJournal
import UsherSessions

/// `usher check`: reports what this build would do to all live sessions, and which clients cannot draw this build's
/// screens.
struct CheckCommand: InspectingCommand {
    let options: InspectionOptions

    static let help = CommandHelp(
        "check", "show how a deploy of this build affects live sessions", synopses: ["[OPTION...]"],
        description: [
            """
            Replays each live session in a child process. Prints how many sessions stay unchanged, are resumed at an \
            earlier revision, begin anew, are held, are ended, or cannot be read, and each cause with a count and one \
            example, the most frequent first. Also names each version of a client that cannot draw what its sessions have \
            shown. The exit status is 1 unless all sessions stay unchanged and all clients can draw them.
            """,
            """
            With --against, also runs "states" of the previous build on the same journal, and prints the places at which the \
            states of unchanged sessions differ, such as a price or the order of a list. The exit status is then also 1 \
            if a state differs.
            """, InspectionOptions.help,
        ], options: known)

    private static let known = InspectionOptions.options(
        InspectionOptions.reportFormOption, InspectionOptions.againstOption)

    init(_ words: CommandWords) throws(UsageError) {
        options = try InspectionOptions(words, Self.known)
        if let extra = options.operands.first { throw UsageError("\"check\" does not take \"\(extra)\"") }
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        let other = try options.against.map { try OtherBuild($0, on: options.journalWords) }
        var report = try CheckReport(comparedWith: other)
        try await JournalCheck(journal, runner: runner, showsStates: other != nil).run { try report.add($0) }
        try report.end()
        switch options.reportForm {
        case .text: for line in report.lines { write(line.escapingControls()) }
        case .json: write(String(decoding: report.json, as: UTF8.self))
        }
        return report.isClean ? 0 : 1
    }
}
