package import Usher
package import UsherJournal

/// Finds out, before a deploy, which live sessions of a journal this build cannot restore as they are.
package struct JournalCheck: Sendable {
    /// One session that would not be as it was.
    package enum Finding: Sendable {
        /// This build handles one of its inputs differently.
        case diverges(SessionID, app: String, Divergence)
        /// This build cannot begin it, or its record is damaged.
        case unavailable(SessionID, app: String, cause: String)
    }

    private let journal: any Journal
    private let apps: [any App.Type]
    private let limits: Limits

    private static let page = 256

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - journal: The sessions.
    ///   - apps: The apps of this build.
    ///   - limits: The bounds of their trees.
    package init(_ journal: any Journal, apps: [any App.Type], limits: Limits = Limits()) {
        self.journal = journal
        self.apps = apps
        self.limits = limits
    }

    /// Replays every live session; nothing is written.
    ///
    /// - Parameter report: Is told of each session that would not be as it was.
    /// - Returns: The number of sessions that were looked at.
    /// - Throws: `JournalError` when the journal cannot be read at all.
    package func run(_ report: (Finding) -> Void) async throws(JournalError) -> Int {
        var count = 0
        var last: JournalKey?
        while true {
            let page = try await journal.sessions(after: last, limit: Self.page)
            for listing in page {
                if let finding = try await check(listing) { report(finding) }
            }
            count += page.count
            last = page.last?.key
            guard page.count == Self.page else { return count }
        }
    }

    private func check(_ listing: SessionListing) async throws(JournalError) -> Finding? {
        let id = SessionID(listing.key)
        let app = listing.head?.app ?? "?"
        do {
            guard let record = try await journal.record(of: listing.key), record.head.ending == nil else { return nil }
            _ = try await Replay(record.entries, apps: apps, limits: limits).tree()
            return nil
        } catch let divergence as Divergence {
            return .diverges(id, app: app, divergence)
        } catch JournalError.unavailable(let reason) {
            throw .unavailable(reason)
        } catch {
            return .unavailable(id, app: app, cause: SessionError(restoring: error).cause)
        }
    }
}

extension SessionError {
    /// The cause for the log of a session that cannot be restored.
    fileprivate var cause: String {
        if case .notRestored(let cause) = self { cause } else { "\(self)" }
    }
}
