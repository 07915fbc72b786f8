package import UsherJournal

/// Checks before a deploy how this build would serve each live session of a journal, and finds the screens of this
/// build that the sessions' clients cannot draw.
package struct JournalCheck: Sendable {
    private let journal: any Journal
    private let runner: any IsolatedRunner
    private let showsStates: Bool
    /// The number of sessions that the check reads at the same time; smaller if the sessions' states are requested.
    private let page: Int
    /// The number of sessions in one call of the runner.
    private static let batch = 32

    /// Creates a check.
    ///
    /// - Parameter showsStates: Pass `true` to receive the sessions' states.
    package init(_ journal: any Journal, runner: any IsolatedRunner, showsStates: Bool = false) {
        (self.journal, self.runner, self.showsStates) = (journal, runner, showsStates)
        page = showsStates ? 2 * Self.batch : 8 * Self.batch
    }

    /// Replays all live sessions, several at the same time, and writes nothing.
    ///
    /// - Parameter report: Called for each session, in the order of the sessions' ids.
    /// - Throws: `JournalError` if the journal cannot be read; errors that `report` throws.
    package func run(_ report: (CheckedSession) throws -> Void) async throws {
        var last: JournalKey?
        while true {
            let found = try await journal.sessions(after: last, limit: page)
            for session in try await check(found.map { ($0.key, $0.head) }) { try report(session) }
            last = found.last?.key
            guard found.count == page else { return }
        }
    }

    /// Replays those of the given sessions that are live, several at the same time, and writes nothing.
    ///
    /// - Parameters:
    ///   - ids: The sessions' ids.
    ///   - report: Called for each live session, in the same order.
    /// - Throws: `JournalError` if the journal cannot be read; errors that `report` throws.
    package func run(on ids: [SessionID], _ report: (CheckedSession) throws -> Void) async throws {
        for start in stride(from: 0, to: ids.count, by: page) {
            let keys = ids[start..<min(start + page, ids.count)].map(\.journalKey)
            for session in try await check(keys.map { ($0, nil) }) { try report(session) }
        }
    }

    /// A session to check, and the session's header if the list of sessions contains the header.
    private typealias Candidate = (key: JournalKey, head: SessionHeader?)

    private func check(_ page: [Candidate]) async throws -> [CheckedSession] {
        let starts = stride(from: 0, to: page.count, by: Self.batch)
        return try await withThrowingTaskGroup(of: (start: Int, sessions: [CheckedSession]).self) { group in
            var found: [Int: [CheckedSession]] = [:]
            for (index, start) in starts.enumerated() {
                // Starts one batch more than the runner can run, so that the records of the additional batch are read
                // in the meantime.
                if index > runner.width, let done = try await group.next() { found[done.start] = done.sessions }
                let batch = page[start..<min(start + Self.batch, page.count)]
                group.addTask { (start, try await sessions(of: batch)) }
            }
            for try await done in group { found[done.start] = done.sessions }
            return starts.flatMap { found[$0] ?? [] }
        }
    }

    private func sessions(of batch: ArraySlice<Candidate>) async throws(JournalError) -> [CheckedSession] {
        var checked: [SessionID: CheckedSession] = [:]
        var runs: [IsolatedRun] = []
        for (key, head) in batch {
            let id = SessionID(key)
            do throws(JournalError) {
                guard let record = try await journal.record(of: key), record.head.ending == nil else {
                    continue
                }
                runs.append(IsolatedRun(of: id, record.head.app, record.entries, showsState: showsStates))
            } catch {
                if case .unavailable = error { throw error }
                let reason = HoldReason.recordDamaged(cause: "\(error)")
                checked[id] = CheckedSession(
                    id, of: head?.app ?? "?", at: head?.revision ?? 0,
                    .ended(IsolatedEnd(.unreadable, .init(reason))))
            }
        }
        for (run, outcome) in zip(runs, await runner.outcomes(of: runs)) {
            guard let id = run.session else { continue }
            checked[id] = CheckedSession(id, of: run.app, at: run.revision, outcome, entries: run.entries)
        }
        return batch.compactMap { checked[SessionID($0.key)] }
    }
}
