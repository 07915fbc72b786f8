package import Usher
package import UsherJournal
import UsherProcess
package import UsherSessions

/// A command that looks at a journal which no server has open.
package protocol InspectingCommand: Sendable {
    /// The place of the journal.
    var journal: JournalLocation { get }

    /// Does what the command is for.
    ///
    /// - Parameters:
    ///   - journal: The journal, opened to be looked at.
    ///   - apps: The apps of this build.
    ///   - trials: The place where sessions are tried.
    ///   - write: Takes each line of what was asked for.
    /// - Returns: The exit status.
    /// - Throws: Why it cannot be done, in one sentence.
    func run(
        on journal: any Journal, apps: [any App.Type], trials: any TrialPlace, write: (String) -> Void
    ) async throws -> Int32
}

extension InspectingCommand {
    /// Opens the journal, does what the command is for, and lets go of the journal.
    ///
    /// - Parameters:
    ///   - apps: The apps of this build.
    ///   - trials: The place where sessions are tried; this process unless told.
    ///   - write: Takes each line of what was asked for.
    /// - Returns: The exit status.
    /// - Throws: Why it cannot be done, in one sentence.
    package func run(
        apps: [any App.Type], trials: (any TrialPlace)? = nil, write: (String) -> Void
    ) async throws -> Int32 {
        let journal = try journal.inspect()
        do {
            let place = trials ?? TrialsInProcess(apps: apps)
            let status = try await run(on: journal, apps: apps, trials: place, write: write)
            await journal.close()
            return status
        } catch {
            await journal.close()
            throw error
        }
    }
}

/// The options of the commands that look at a journal.
struct InspectionOptions: Sendable {
    /// The form of an export.
    enum Form: String, Sendable {
        case curl, swift
    }

    private(set) var journal = JournalLocation.memory
    private(set) var revision: Int?
    private(set) var form = Form.curl
    /// The arguments that are no options.
    private(set) var operands: [String] = []

    typealias Option = CommandOption<InspectionOptions>

    /// Reads a command's options.
    ///
    /// - Parameters:
    ///   - arguments: The words behind the command's name.
    ///   - own: The options that the command takes beside `--journal`.
    ///   - environment: Looks a variable up.
    /// - Throws: `UsageError`.
    init(
        _ arguments: ArraySlice<String>, own: [Option] = [], environment: (String) -> String?
    ) throws(UsageError) {
        let options = CommandOptions([Self.journalOption] + own, variables: ["journal"])
        let reading = try options.read(arguments, environment: environment, into: &self)
        if !reading.named.contains("journal") { journal = try JournalLocation(environment: environment) }
        guard journal != .memory else {
            throw JournalLocation.nothingToLookAt
        }
        operands = reading.operands
    }

    /// The only operand: a session.
    ///
    /// - Throws: `UsageError`.
    func session(of command: String) throws(UsageError) -> SessionID {
        guard let text = operands.first, operands.count == 1 else {
            throw UsageError("\(command) takes one session: usher \(command) SESSION --journal sqlite:PATH")
        }
        guard let id = SessionID(text) else {
            throw UsageError("\"\(text)\" is no session's id, which has 32 hexadecimal digits in lower case")
        }
        return id
    }

    private static let journalOption = Option("journal", "sqlite:PATH", "the journal", sets: \.journal) {
        value, _ throws(UsageError) in
        try JournalLocation(value)
    }

    static let revisionOption = Option("to", "REVISION", "how far", sets: \.revision) {
        value, name throws(UsageError) in
        try Option.number(in: 1...Int.max)(value, name)
    }

    static let formOption = Option("as", "curl|swift", "as what", sets: \.form, Option.word(.curl, .swift))
}

/// The failure of a command that looks at a journal: one sentence for an operator.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A session that cannot be looked at.
    init(_ error: SessionError, _ session: SessionID) {
        switch error {
        case .unknown: self.init("there is no session \(session.text) in this journal")
        case .ended(let tombstone):
            let time = WallTime.text(tombstone.time.milliseconds)
            self.init(
                "the session \(session.text) came to its end at \(time) (\(tombstone.reason.rawValue)); its inputs are gone"
            )
        case .noRevision(let reason), .unsupported(let reason): self.init(reason)
        case .notRestored(let cause): self.init("the session \(session.text) cannot be restored: \(cause)")
        case .notRead(let cause): self.init("the journal cannot be read: \(cause)")
        default: self.init("\(error)")
        }
    }
}
