package import Usher
package import UsherJournal

/// A command that looks at a journal which no server has open.
package protocol InspectingCommand: Sendable {
    /// Where the journal is.
    var journal: JournalLocation { get }

    /// Does what the command is for.
    ///
    /// - Parameters:
    ///   - journal: The journal, opened to be looked at.
    ///   - apps: The apps of this build.
    ///   - write: Takes each line of what was asked for.
    /// - Returns: The exit status.
    /// - Throws: Why it cannot be done, in one sentence.
    func run(
        on journal: any Journal, apps: [any App.Type], write: (String) -> Void
    ) async throws -> Int32
}

extension InspectingCommand {
    /// Opens the journal, does what the command is for, and lets go of the journal.
    ///
    /// - Parameters:
    ///   - apps: The apps of this build.
    ///   - write: Takes each line of what was asked for.
    /// - Returns: The exit status.
    /// - Throws: Why it cannot be done, in one sentence.
    package func run(apps: [any App.Type], write: (String) -> Void) async throws -> Int32 {
        let journal = try journal.inspect()
        do {
            let status = try await run(on: journal, apps: apps, write: write)
            await journal.close()
            return status
        } catch {
            await journal.close()
            throw error
        }
    }
}
