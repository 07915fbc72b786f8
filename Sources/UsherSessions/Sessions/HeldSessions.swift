import Synchronization
import UsherJSON
import UsherJournal

/// The sessions on hold: those that this build must not serve, by its verdicts in the journal, and those with work of which
/// nothing can come in this process.
///
/// No sweep wakes them. A verdict stands for one version of a session's record, so a client that asks again and again costs
/// a look at a row, and no replay, on whichever server of the build, and after a restart.
final class HeldSessions: Sendable {
    /// A verdict on a session.
    struct Verdict: Equatable {
        /// Why this build must not serve the session.
        let reason: HoldReason
        /// The version of the record that was judged; nil if its header cannot be read.
        let version: RecordVersion?
        /// The build that wrote the record, if that build may serve the session.
        var writer: UInt64?
    }

    private struct State {
        /// The number of sessions for each kind of reason; nil before the first `refresh()`.
        var counts: [HoldReason.Kind: Int]?
        /// The uptime of the last `refresh()`.
        var refreshed = Int64.min / 2
        /// The sessions with results that could not even be refused, or with due work of another build.
        ///
        /// They are served, and a request that wakes one begins its work again.
        var stalled: Set<SessionID> = []
    }

    private let journal: any Journal
    private let clock: any Clock
    private let build: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// In milliseconds, the time between two counts of the verdicts.
    private static let countInterval: Int64 = 10_000

    init(_ journal: any Journal, _ clock: any Clock, build: @escaping @Sendable () -> UInt64) {
        self.journal = journal
        self.clock = clock
        self.build = build
    }

    // MARK: Sessions that must not be served

    /// Counts the verdicts, unless they have just been counted.
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

    /// The number of sessions for each kind of reason, as they were counted last.
    var counts: [HoldReason.Kind: Int] { state.withLock { $0.counts ?? [:] } }

    /// The verdict on a session that stands; nil unless this build must not serve the session.
    ///
    /// - Throws: `JournalError`.
    func verdict(on id: SessionID) async throws(JournalError) -> Verdict? {
        // Nearly always there are none, and an ordinary wake asks for nothing.
        let mayExist = state.withLock { $0.counts.map { $0.values.contains { $0 > 0 } } ?? true }
        guard mayExist else { return nil }
        let key = id.journalKey
        return try await journal.holds(for: build(), in: key...key, limit: 1).first.flatMap(Verdict.init)
    }

    /// The sessions of a range of keys with their verdicts, in the order of the keys.
    ///
    /// - Throws: `JournalError`.
    func sessions(
        in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [(key: JournalKey, verdict: Verdict?)] {
        try await journal.holds(for: build(), in: keys, limit: limit).map { ($0.key, Verdict($0)) }
    }

    /// Records a verdict on a session.
    ///
    /// - Returns: True if the verdict is another than before.
    /// - Throws: `JournalError`.
    func hold(_ id: SessionID, by verdict: Verdict) async throws(JournalError) -> Bool {
        let former = try await self.verdict(on: id)
        guard former != verdict else { return false }
        try await journal.change(.hold(verdict.recorded(on: id.journalKey, by: build())))
        count(former, -1)
        count(verdict, 1)
        return true
    }

    /// Deletes a verdict, because this build can serve the session after all.
    ///
    /// - Throws: `JournalError`.
    func lift(_ verdict: Verdict, on id: SessionID) async throws(JournalError) {
        try await journal.change(.lift(id.journalKey, build: build()))
        count(verdict, -1)
    }

    /// Forgets a session that has ended; its verdict is gone, so the next `refresh()` counts again.
    func forget(_ id: SessionID) {
        forgetStalled(id)
        state.withLock { state in
            if state.counts?.isEmpty == false { state.refreshed = .min / 2 }
        }
    }

    private func count(_ verdict: Verdict?, _ number: Int) {
        guard let kind = verdict?.reason.kind else { return }
        state.withLock { $0.counts?[kind, default: 0] += number }
    }

    // MARK: Work of which nothing can come

    /// The sessions with such work.
    var stalled: Set<SessionID> { state.withLock(\.stalled) }

    /// Notes that nothing can come of work of a session.
    func stall(_ id: SessionID) {
        state.withLock { _ = $0.stalled.insert(id) }
    }

    /// Returns a Boolean value indicating whether a session has such work.
    func isStalled(_ id: SessionID) -> Bool {
        state.withLock { $0.stalled.contains(id) }
    }

    /// Forgets that a session has such work: it was woken.
    func forgetStalled(_ id: SessionID) {
        state.withLock { state in
            if !state.stalled.isEmpty { state.stalled.remove(id) }
        }
    }

    /// Forgets sessions that have no such work any more.
    func forgetStalled(_ ids: Set<SessionID>) {
        if !ids.isEmpty { state.withLock { $0.stalled.subtract(ids) } }
    }
}

extension HeldSessions.Verdict {
    /// Reads a verdict of the journal; nil if it is of a kind that this code does not know.
    fileprivate init?(_ hold: SessionHold) {
        guard let reason = try? JSONDocument(parsing: hold.reason).root.decode(HoldReason.self) else { return nil }
        self.init(reason: reason, version: hold.version, writer: hold.writer)
    }

    fileprivate func recorded(on key: JournalKey, by build: UInt64) -> SessionHold {
        // All of it is text and whole numbers, which encode.
        let json = try? JSONWriter.bytes { writer throws(JSONError) in try writer.encode(reason) }
        return SessionHold(
            on: key, by: build, at: version, writtenBy: writer, kind: reason.kind.rawValue, reason: json ?? [])
    }
}
