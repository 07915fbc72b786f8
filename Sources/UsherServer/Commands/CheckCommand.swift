import Usher
import UsherBytes
import UsherJournal
import UsherSessions

/// `usher check`: says what this build makes of all live sessions, and which clients cannot draw what it would show them.
struct CheckCommand: InspectingCommand {
    let options: InspectionOptions

    static let help = CommandHelp(
        "check", "find what a deploy of this build does to live sessions", synopses: ["[OPTION...]"],
        description: [
            """
            Replays each live session in a child process. Prints how many sessions stay unchanged, are resumed at an \
            earlier revision, begin anew, are held, or cannot be read, and each cause with a count and one example, the \
            most frequent first. Also names each version of a client that cannot draw what its sessions have shown. \
            The exit status is 1 unless all sessions stay unchanged and all clients can draw them.
            """, InspectionOptions.help,
        ], options: known)

    private static let known = InspectionOptions.options(InspectionOptions.reportFormOption)

    init(_ words: CommandWords) throws(UsageError) {
        options = try InspectionOptions(words, Self.known)
        if let extra = options.operands.first { throw UsageError("check takes no \"\(extra)\"") }
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        var report = CheckReport()
        try await JournalCheck(journal, runner: runner).run { report.add($0) }
        switch options.reportForm {
        case .text: for line in report.lines { write(line.escapingControls()) }
        case .json: write(String(decoding: report.json, as: UTF8.self))
        }
        return report.isClean ? 0 : 1
    }
}
