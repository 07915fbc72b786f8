import Synchronization
import UsherJSON
import UsherJournal

/// The sessions that this build must not serve, and the sessions with work that cannot complete in this process.
///
/// The journal stores a verdict for each session on hold, and the periodic sweep does not wake such a session. A
/// verdict applies to one version of a session's record. While the version is unchanged, a request for the session
/// costs only one query and no replay. This is true for all servers of the build, even after a restart.
final class HeldSessions: Sendable {
    /// A verdict: this build must not serve a session.
    struct Verdict: Equatable {
        let reason: HoldReason
        /// The version of the record that this build has judged; `nil` if the record's header cannot be read.
        let version: RecordVersion?
        /// The build that wrote the record, if that build may still be able to serve the session.
        var writer: UInt64?
    }

    private struct State {
        /// The number of sessions per kind of reason; `nil` before the first `refresh()`.
        var counts: [HoldReason.Kind: Int]?
        /// The uptime of the last `refresh()`.
        var refreshed = Int64.min / 2
        /// The stalled sessions: a result could be neither accepted nor rejected, or due work of another build cannot
        /// start here.
        ///
        /// The server still serves these sessions, and their work starts again when a request wakes them.
        var stalled: Set<SessionID> = []
    }

    private let journal: any Journal
    private let clock: any Clock
    private let build: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// The time between two counts of the verdicts, in milliseconds.
    private static let countInterval: Int64 = 10_000

    init(_ journal: any Journal, _ clock: any Clock, build: @escaping @Sendable () -> UInt64) {
        self.journal = journal
        self.clock = clock
        self.build = build
    }

    // MARK: Sessions on hold

    /// Counts the verdicts in the journal, unless the last count is at most 10 seconds old.
    ///
    /// - Throws: `JournalError`.
    func refresh() async throws(JournalError) {
        let uptime = clock.uptime
        guard uptime &- state.withLock(\.refreshed) >= Self.countInterval else { return }
        let counts = try await journal.holdCounts(for: build())
        let known = counts.compactMap { kind, count in HoldReason.Kind(rawValue: kind).map { ($0, count) } }
        state.withLock { state in
            state.counts = Dictionary(known) { $1 }
            state.refreshed = uptime
        }
    }

    /// The number of sessions per kind of reason, from the last count.
    var counts: [HoldReason.Kind: Int] { state.withLock { $0.counts ?? [:] } }

    /// Returns the verdict that this build must not serve a session; `nil` if this build may serve the session.
    ///
    /// - Throws: `JournalError`.
    func verdict(on id: SessionID) async throws(JournalError) -> Verdict? {
        // Usually there are no verdicts, so waking a session needs no query.
        let mayExist = state.withLock { $0.counts.map { $0.values.contains { $0 > 0 } } ?? true }
        guard mayExist else { return nil }
        let key = id.journalKey
        return try await journal.holds(for: build(), in: key...key, limit: 1).first.flatMap(Verdict.init)
    }

    /// Returns the sessions in a range of keys with their verdicts, in the order of the keys.
    ///
    /// - Throws: `JournalError`.
    func sessions(
        in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [(key: JournalKey, verdict: Verdict?)] {
        try await journal.holds(for: build(), in: keys, limit: limit).map { ($0.key, Verdict($0)) }
    }

    /// Records a verdict on a session; returns `false` if the journal already has this verdict.
    ///
    /// - Throws: `JournalError`.
    func hold(_ id: SessionID, by verdict: Verdict) async throws(JournalError) -> Bool {
        let former = try await self.verdict(on: id)
        guard former != verdict else { return false }
        try await journal.change(.hold(verdict.recorded(on: id.journalKey, by: build())))
        count(former, -1)
        count(verdict, 1)
        return true
    }

    /// Deletes a verdict, because this build can serve the session again.
    ///
    /// - Throws: `JournalError`.
    func lift(_ verdict: Verdict, on id: SessionID) async throws(JournalError) {
        try await journal.change(.lift(id.journalKey, build: build()))
        count(verdict, -1)
    }

    /// Removes an ended session, whose verdict the journal has deleted, so that the next `refresh()` counts again.
    func forget(_ id: SessionID) {
        forgetStalled([id])
        state.withLock { state in
            if state.counts?.isEmpty == false { state.refreshed = .min / 2 }
        }
    }

    private func count(_ verdict: Verdict?, _ number: Int) {
        guard let kind = verdict?.reason.kind else { return }
        state.withLock { $0.counts?[kind, default: 0] += number }
    }

    // MARK: Work that cannot complete

    var stalled: Set<SessionID> { state.withLock(\.stalled) }

    func stall(_ id: SessionID) {
        state.withLock { _ = $0.stalled.insert(id) }
    }

    func isStalled(_ id: SessionID) -> Bool {
        state.withLock { $0.stalled.contains(id) }
    }

    func forgetStalled(_ ids: Set<SessionID>) {
        if !ids.isEmpty { state.withLock { $0.stalled.subtract(ids) } }
    }
}

extension HeldSessions.Verdict {
    /// Parses a verdict from the journal; `nil` if this code does not know the verdict's kind of reason.
    fileprivate init?(_ hold: SessionHold) {
        guard let reason = try? JSONDocument(parsing: hold.reason).root.decode(HoldReason.self) else { return nil }
        self.init(reason: reason, version: hold.version, writer: hold.writer)
    }

    fileprivate func recorded(on key: JournalKey, by build: UInt64) -> SessionHold {
        // Cannot fail, because text and whole numbers always encode.
        let json = try? JSONWriter.bytes { writer throws(JSONError) in try writer.encode(reason) }
        return SessionHold(
            on: key, by: build, at: version, writtenBy: writer, kind: reason.kind.rawValue, reason: json ?? [])
    }
}
