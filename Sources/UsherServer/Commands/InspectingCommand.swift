package import Usher
package import UsherJournal
import UsherProcess
package import UsherSessions

/// A command that reads a journal: a file that no server has open, or a snapshot of a database.
package protocol InspectingCommand: Sendable {
    /// The command's options, which name the journal.
    var options: InspectionOptions { get }

    /// Runs the command on an open journal.
    ///
    /// - Parameters:
    ///   - journal: The journal, opened for inspection.
    ///   - apps: The apps of this build.
    ///   - runner: Runs sessions isolated from this process.
    ///   - write: Called with each line of output.
    /// - Returns: The exit status.
    /// - Throws: An error whose description is one sentence for the user.
    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32
}

extension InspectingCommand {
    /// Opens the journal, runs the command, and closes the journal; by default, sessions run in this process.
    ///
    /// - Returns: The exit status.
    /// - Throws: An error whose description is one sentence for the user.
    package func run(
        apps: [any App.Type], runner: (any IsolatedRunner)? = nil, write: (String) -> Void
    ) async throws -> Int32 {
        let journal = try options.openJournal()
        do {
            let runner = runner ?? InProcessRunner(apps: apps)
            let status = try await run(on: journal, apps: apps, runner: runner, write: write)
            await journal.close()
            return status
        } catch {
            await journal.close()
            throw error
        }
    }
}

/// The options of the commands that read a journal.
package struct InspectionOptions: Sendable {
    /// The form of an export.
    enum Form: String, Sendable {
        case curl, swift
    }

    enum ReportForm: String, Sendable {
        case text, json
    }

    private var journal = JournalLocation.memory
    private var sealing = SharingOptions.Sealing.none
    private let engines: [JournalEngine]
    private(set) var revision: Int?
    private(set) var form = Form.curl
    private(set) var reportForm = ReportForm.text
    /// The executable of another build; the states in that build are compared with the states in this build.
    private(set) var against: String?
    /// The value of `--journal` as the user wrote it.
    private var journalText: String?
    private(set) var operands: [String] = []

    typealias Option = CommandOption<InspectionOptions>

    /// Parses a command's arguments after its name, given the options that the command has.
    init(_ words: CommandWords, _ options: CommandOptions<InspectionOptions>) throws(UsageError) {
        engines = words.engines
        let reading = try options.read(words, into: &self)
        if !reading.named.contains("journal") { journal = try JournalLocation(environment: words.environment) }
        guard journal != .memory else { throw JournalLocation.nothingToLookAt }
        operands = reading.operands
    }

    /// Returns the only operand, which must be a session's id.
    func session(of command: String) throws(UsageError) -> SessionID {
        guard let text = operands.first, operands.count == 1 else {
            throw UsageError(
                "\"\(command)\" takes one session, as in \"usher \(command) SESSION --journal sqlite:PATH\"")
        }
        return try Self.session(text)
    }

    func sessions() throws(UsageError) -> [SessionID] { try operands.map(Self.session) }

    private static func session(_ text: String) throws(UsageError) -> SessionID {
        guard let id = SessionID(text) else {
            throw UsageError("\"\(text)\" is not a session's id of 32 lower-case hexadecimal digits")
        }
        return id
    }

    /// The options that name the journal, as words for the command line of another build.
    var journalWords: [String] {
        let words = ["--journal", journalText ?? "\(journal)"]
        guard journal.isShared else { return words }
        return words + ["--journal-key", sealing.keyFile ?? "none"]
    }

    fileprivate func openJournal() throws -> any Journal { try journal.inspect(keyFile: sealing.keyFile) }

    /// Returns a command's own options, followed by the options that name the journal.
    static func options(_ own: Option...) -> CommandOptions<InspectionOptions> {
        CommandOptions(own + [journalOption, keyOption], variables: ["journal", "journal-key"])
    }

    static let help = """
        The journal is a file that no server has open, such as a backup by POST /admin/backup, or a PostgreSQL \
        database. From a database, the command reads a snapshot while servers run. The command changes nothing.
        """

    private static let journalOption = Option(
        "journal", "sqlite:PATH|URI", "the journal (default: the default of \"serve\")"
    ) { value, options throws(UsageError) in
        options.journal = try JournalLocation(value, engines: options.engines)
        options.journalText = value
    }

    private static let keyOption = Option(
        "journal-key", "FILE|none", "the file with the keys of a journal in a database", sets: \.sealing
    ) { value, _ in SharingOptions.Sealing(value) }

    static let revisionOption = Option(
        "to", "REVISION", "the last revision to replay (default: the newest)", sets: \.revision,
        Option.number(in: 1...Int.max))

    static let formOption = Option(
        "as", "curl|swift", "a bash script with curl, or a Swift test (default: curl)", sets: \.form,
        Option.word(.curl, .swift))

    static let reportFormOption = Option(
        "as", "text|json", "print lines of text, or one JSON document (default: text)", sets: \.reportForm,
        Option.word(.text, .json))

    static let againstOption = Option(
        "against", "PROGRAM", "the previous build, to compare its states with this build's"
    ) { value, options throws(UsageError) in options.against = try Option.path()(value, "against") }
}

/// The failure of a command, as one sentence for the operator.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ error: SessionError, _ session: SessionID) {
        switch error {
        case .unknown: self.init("there is no session \(session.text) in this journal")
        case .ended(let tombstone):
            let time = WallTime.text(tombstone.time.milliseconds)
            self.init(
                "the session \(session.text) ended at \(time) (\(tombstone.reason.rawValue)); its inputs are deleted"
            )
        case .noRevision(let reason), .unsupported(let reason): self.init(reason)
        case .onHold(let reason): self.init("the session \(session.text) cannot be restored: \(reason.cause)")
        case .notRead(let cause): self.init("the journal cannot be read: \(cause)")
        default: self.init("\(error)")
        }
    }
}
