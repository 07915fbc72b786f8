import Synchronization
import Usher
import UsherJournal

/// The builds that use the journal, and the sessions that this build would serve differently.
///
/// The former build of a session is the build that last wrote the session. While a server of the former build is
/// running, this build does not serve the session. Afterwards, this build resumes the session at an earlier revision,
/// but does not write the resumption at once. If the former build comes back, it therefore finds the session unchanged.
/// The resumption is written with the next input, or when the release is confirmed.
final class Releases: Sendable {
    /// The permission to serve a session that another build wrote and would serve differently.
    enum Permission {
        /// This build must not serve the session now, because a server of the other build is running.
        case refused
        /// This build may serve the session, but must not write a resumption, because the former build may come back.
        case unwritten
        case written
    }

    private struct State {
        var builds: [UInt64: JournalBuild] = [:]
        /// The sessions whose resumption is not written, each with the build that wrote the session.
        var unwritten: [SessionID: UInt64] = [:]
        /// The sessions that this build must not serve, each with the build that wrote the session.
        var refused: [SessionID: UInt64] = [:]
        /// The uptime at which the journal last recorded that this build is running; `nil` before the first time.
        var recorded: Int64?
    }

    private let journal: any Journal
    private let clock: any Clock
    private let build: @Sendable () -> UInt64
    /// The milliseconds after which this build assumes that a former build does not come back.
    private let confirmationTime: Int64
    /// The time at which the server started, in milliseconds since 1970.
    private let start: Int64
    private let startUptime: Int64
    private let state = Mutex(State())

    /// The largest number of sessions in `refused`; each request for a further session needs a replay.
    private static let limit = 65_536
    /// The interval, in milliseconds, at which the journal records that this build is running.
    private static let recordInterval: Int64 = 60_000

    init(_ journal: any Journal, _ clock: any Clock, build: @escaping @Sendable () -> UInt64, bounds: SessionBounds) {
        self.journal = journal
        self.clock = clock
        self.build = build
        confirmationTime = bounds.confirmationTime.milliseconds
        (start, startUptime) = (clock.now().milliseconds, clock.uptime)
    }

    // MARK: Builds

    /// Reads which builds use the journal; once a minute, also records that this build uses the journal.
    ///
    /// - Throws: `JournalError`.
    func refresh() async throws(JournalError) {
        let (uptime, now) = (clock.uptime, clock.now().milliseconds)
        let recorded = state.withLock(\.recorded)
        if uptime &- (recorded ?? .min / 2) >= Self.recordInterval {
            if recorded == nil { try await takeOver(at: now) }
            try await journal.note(build(), at: now, isConfirmed: false)
            state.withLock { $0.recorded = uptime }
        }
        let builds = Dictionary(try await journal.builds().map { ($0.number, $0) }) { $1 }
        state.withLock { $0.builds = builds }
    }

    /// Returns `true` if a server of another build was running at the last `refresh()`.
    func isServing(_ other: UInt64) -> Bool {
        state.withLock { $0.builds[other]?.isServing ?? false }
    }

    /// Returns `true` if another build may have written a session's newest entry, at a time in milliseconds since 1970.
    func mayOtherHaveWritten(at time: Int64) -> Bool {
        state.withLock { state in
            state.builds.isEmpty
                || state.builds.values.contains { other in
                    // Adds the interval, because `seen` is recorded only once a minute.
                    other.number != build() && (other.isServing || time <= other.seen &+ Self.recordInterval)
                }
        }
    }

    /// Records that the former builds were running until now.
    ///
    /// The time in which these builds can come back starts now, even if no server was running for a while.
    private func takeOver(at now: Int64) async throws(JournalError) {
        let builds = try await journal.builds()
        let own = builds.first { $0.number == build() }?.seen ?? .min
        for other in builds where other.number != build() && other.seen > own {
            try await journal.note(other.number, at: now, isConfirmed: false)
        }
    }

    /// Returns whether this build may serve a session that the build `writer` last wrote and would serve differently.
    ///
    /// - Throws: `JournalError`.
    func permission(toServeAfter writer: UInt64) async throws(JournalError) -> Permission {
        guard writer != build() else { return .written }
        try await refresh()
        return state.withLock { permission(toServeAfter: writer, $0.builds) }
    }

    private func permission(toServeAfter writer: UInt64, _ builds: [UInt64: JournalBuild]) -> Permission {
        if builds[writer]?.isServing ?? false { return .refused }
        let seen = builds[writer]?.seen ?? start
        if let confirmed = builds[build()]?.confirmed, confirmed > seen { return .written }
        return absence(since: seen) >= confirmationTime ? .written : .unwritten
    }

    /// Returns the time since a build was last seen.
    ///
    /// After this server's start, the uptime limits this time, so that a clock that is set forward has no influence.
    private func absence(since seen: Int64) -> Int64 {
        max(0, start &- seen) &+ min(clock.now().milliseconds &- max(start, seen), clock.uptime &- startUptime)
    }

    /// Confirms the release of this build, or returns the other builds whose servers are running.
    ///
    /// - Throws: `JournalError`.
    func confirm() async throws(JournalError) -> [JournalBuild] {
        try await refresh()
        let builds = state.withLock(\.builds)
        let others = builds.values.filter { $0.number != build() && $0.isServing }.sorted { $0.number < $1.number }
        guard others.isEmpty else { return others }
        // The recorded time must be later than the time at which any build was last seen.
        let now = max(clock.now().milliseconds, (builds.values.map(\.seen).max() ?? 0) + 1)
        try await journal.note(build(), at: now, isConfirmed: true)
        try await refresh()
        return []
    }

    // MARK: Sessions left to another build

    /// Returns a Boolean value that indicates whether a session is left to another build that is still running.
    func isLeft(_ id: SessionID) -> Bool {
        state.withLock { state in
            guard !state.refused.isEmpty, let writer = state.refused[id] else { return false }
            if state.builds[writer]?.isServing ?? false { return true }
            state.refused[id] = nil
            return false
        }
    }

    /// Leaves a session to the build that wrote the session.
    func leave(_ id: SessionID, to writer: UInt64) async {
        let isNew = state.withLock { state in
            if state.refused.count >= Self.limit, let other = state.refused.keys.first { state.refused[other] = nil }
            return state.refused.updateValue(writer, forKey: id) != writer
        }
        guard isNew else { return }
        // Ignores errors, because only the operator's count of sessions left to another build depends on the refusal.
        try? await journal.peers?.note(SessionRefusal(of: id.journalKey, by: build(), writtenBy: writer))
    }

    /// The sessions whose work this server leaves to the former build, which is running or may come back.
    var leftToOthers: [JournalKey] {
        state.withLock { state in
            let served = state.refused.filter { state.builds[$0.value]?.isServing ?? false }
            return (Array(state.unwritten.keys) + served.keys).map(\.journalKey)
        }
    }

    // MARK: Unwritten resumptions

    /// Adds a session whose resumption is not written yet; returns `false` if the session was already added.
    func addUnwritten(_ id: SessionID, from writer: UInt64) -> Bool {
        state.withLock { $0.unwritten.updateValue(writer, forKey: id) == nil }
    }

    /// Removes a session, because its resumption is written or not needed.
    func removeUnwritten(_ id: SessionID) {
        state.withLock { state in
            if !state.unwritten.isEmpty { state.unwritten[id] = nil }
        }
    }

    /// Returns `true` if a session's resumption is unwritten; the session's work must then not start.
    func isUnwritten(_ id: SessionID) -> Bool {
        state.withLock { $0.unwritten[id] != nil }
    }

    /// The sessions whose resumption must be written now, and the sessions whose former build has come back.
    var decided: (written: [SessionID], refused: [SessionID]) {
        state.withLock { state in
            var decided: (written: [SessionID], refused: [SessionID]) = ([], [])
            for (id, writer) in state.unwritten {
                switch permission(toServeAfter: writer, state.builds) {
                case .written: decided.written.append(id)
                case .refused: decided.refused.append(id)
                case .unwritten: break
                }
            }
            return decided
        }
    }
}
