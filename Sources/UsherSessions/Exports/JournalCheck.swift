package import Usher
package import UsherJournal

/// Finds out, before a deploy, which live sessions of a journal this build cannot restore as they are, and which of its
/// screens their clients cannot draw.
package struct JournalCheck: Sendable {
    /// One session that would not be as it was, or whose client would be outdated.
    package enum Finding: Sendable {
        /// This build handles one of its inputs differently.
        case diverges(SessionID, app: String, Divergence)
        /// This build cannot begin it, or its record is damaged.
        case unavailable(SessionID, app: String, cause: String)
        /// This build dies at one of its inputs; nil where it dies at what they lead to.
        case crashes(SessionID, app: String, input: String?, Crash)
        /// It could not be tried.
        case untried(SessionID, app: String, reason: String)
        /// Its inputs lead, or have led, to a screen that its client cannot draw in this build's version.
        case undrawable(SessionID, app: String, UndrawableScreen, by: Client)
    }

    private let journal: any Journal
    private let runner: any IsolatedRunner

    private static let page = 256
    /// Sessions that run in one go.
    private static let batch = 32

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - journal: The sessions.
    ///   - runner: Replays them.
    package init(_ journal: any Journal, runner: any IsolatedRunner) {
        self.journal = journal
        self.runner = runner
    }

    /// Replays every live session, several at once; nothing is written.
    ///
    /// - Parameter report: Is told of each finding, in the order of the sessions' ids.
    /// - Returns: The number of sessions that were looked at.
    /// - Throws: `JournalError` when the journal cannot be read at all.
    package func run(_ report: (Finding) -> Void) async throws(JournalError) -> Int {
        var count = 0
        var last: JournalKey?
        while true {
            let page = try await journal.sessions(after: last, limit: Self.page)
            for finding in try await check(page) { report(finding) }
            count += page.count
            last = page.last?.key
            guard page.count == Self.page else { return count }
        }
    }

    private typealias Outcome = Result<[Finding], JournalError>

    /// Checks sessions, several batches at once.
    private func check(_ page: [SessionListing]) async throws(JournalError) -> [Finding] {
        let batches = stride(from: 0, to: page.count, by: Self.batch).map {
            page[$0..<min($0 + Self.batch, page.count)]
        }
        let outcomes = await withTaskGroup(of: (index: Int, outcome: Outcome).self) { group in
            var outcomes = [Outcome](repeating: .success([]), count: batches.count)
            for (index, batch) in batches.enumerated() {
                // One more than there is room for, so that its records are read meanwhile.
                if index > runner.width, let done = await group.next() { outcomes[done.index] = done.outcome }
                group.addTask { (index, await outcome(of: batch)) }
            }
            for await done in group { outcomes[done.index] = done.outcome }
            return outcomes
        }
        var findings: [Finding] = []
        for outcome in outcomes { findings += try outcome.get() }
        return findings
    }

    private func outcome(of batch: ArraySlice<SessionListing>) async -> Outcome {
        do throws(JournalError) {
            return .success(try await findings(of: batch))
        } catch {
            return .failure(error)
        }
    }

    private func findings(of batch: ArraySlice<SessionListing>) async throws(JournalError) -> [Finding] {
        var unreadable: [SessionID: Finding] = [:]
        var runs: [IsolatedRun] = []
        for listing in batch {
            let id = SessionID(listing.key)
            do throws(JournalError) {
                guard let record = try await journal.record(of: listing.key), record.head.ending == nil else {
                    continue
                }
                runs.append(IsolatedRun(of: id, record.head.app, record.entries))
            } catch {
                if case .unavailable = error { throw error }
                let cause = SessionError(restoring: error).cause
                unreadable[id] = .unavailable(id, app: listing.head?.app ?? "?", cause: cause)
            }
        }
        let outcomes = await runner.outcomes(of: runs)
        let made = zip(runs, outcomes).map { run, outcome in (run.session, Self.findings(outcome, of: run)) }
        return batch.flatMap { listing in
            let id = SessionID(listing.key)
            return unreadable[id].map { [$0] } ?? made.first { $0.0 == id }?.1 ?? []
        }
    }

    private static func findings(_ outcome: IsolatedOutcome, of run: IsolatedRun) -> [Finding] {
        guard let id = run.session else { return [] }
        switch outcome {
        case .ended(let end):
            let client = run.entries.first?.client ?? Client()
            return finding(end.restoration, of: id, run.app)
                + end.undrawn.map { .undrawable(id, app: run.app, $0, by: client) }
        case .crashes(let crash): return [.crashes(id, app: run.app, input: input(of: crash, in: run), crash)]
        case .untried(let reason): return [.untried(id, app: run.app, reason: reason)]
        }
    }

    private static func finding(_ restoration: SessionRestoration, of id: SessionID, _ app: String) -> [Finding] {
        switch restoration {
        case .restored: []
        case .diverges(let divergence): [.diverges(id, app: app, divergence)]
        case .unavailable(let cause): [.unavailable(id, app: app, cause: cause)]
        }
    }

    /// The input whose replay a build dies at, such as `input 3 (event buy)`.
    private static func input(of crash: Crash, in run: IsolatedRun) -> String? {
        guard let revision = crash.revision, let entry = run.entries.first(where: { $0.revision == revision }) else {
            return nil
        }
        return "input \(revision) (\(entry.summary))"
    }
}
