import Synchronization
import Usher
import UsherJournal

/// The builds on the journal, and the sessions that this build has resumed at an earlier revision without writing that.
///
/// While a server of the build that wrote a session last is at work, no other build resumes the session. After that a
/// resumption stays unwritten until an input comes or the release is confirmed: up to then the build before can take over
/// again, and finds the session as it was.
final class Releases: Sendable {
    /// How this build may resume a session that it cannot follow to its end.
    enum Permission {
        /// Not at all: a server of the build that wrote the session is at work.
        case refused
        /// Without writing it: the build before may come back.
        case unwritten
        /// For good.
        case written
    }

    private struct State {
        var builds: [UInt64: JournalBuild] = [:]
        /// The sessions whose resumption is not written, by the build that wrote them.
        var unwritten: [SessionID: UInt64] = [:]
        /// The sessions that this build leaves to the build that wrote them.
        var refused: [SessionID: UInt64] = [:]
        /// The clock's uptime at which this build was noted last; nil before the first time.
        var noted: Int64?
    }

    private let journal: any Journal
    private let clock: any Clock
    private let build: @Sendable () -> UInt64
    /// In milliseconds, the time after which the builds before are not expected back.
    private let confirmationTime: Int64
    /// The time at which the server started: milliseconds since 1970.
    private let start: Int64
    private let state = Mutex(State())

    /// The number of sessions left to other builds that are remembered; another replay finds what was forgotten.
    private static let limit = 65_536
    /// In milliseconds, the time between two notes that this build is at work.
    private static let noteInterval: Int64 = 60_000

    init(_ journal: any Journal, _ clock: any Clock, build: @escaping @Sendable () -> UInt64, bounds: SessionBounds) {
        self.journal = journal
        self.clock = clock
        self.build = build
        confirmationTime = bounds.confirmationTime.milliseconds
        start = clock.now().milliseconds
    }

    // MARK: Builds

    /// Learns which builds are on the journal, and notes now and then that this one is.
    ///
    /// - Returns: True if another build serves that did not before.
    /// - Throws: `JournalError`.
    @discardableResult
    func refresh() async throws(JournalError) -> Bool {
        let (uptime, now) = (clock.uptime, clock.now().milliseconds)
        let noted = state.withLock(\.noted)
        if uptime &- (noted ?? .min / 2) >= Self.noteInterval {
            if noted == nil { try await takeOver(at: now) }
            try await journal.note(build(), at: now, isConfirmed: false)
            state.withLock { $0.noted = uptime }
        }
        let builds = Dictionary(try await journal.builds().map { ($0.number, $0) }) { $1 }
        return state.withLock { state in
            let former = state.builds
            state.builds = builds
            return builds.values.contains { $0.isServing && !(former[$0.number]?.isServing ?? false) }
        }
    }

    /// Notes that the builds which served until this one started were at work until now, however long nobody served.
    private func takeOver(at now: Int64) async throws(JournalError) {
        let builds = try await journal.builds()
        let own = builds.first { $0.number == build() }?.seen ?? .min
        for other in builds where other.number != build() && other.seen > own {
            try await journal.note(other.number, at: now, isConfirmed: false)
        }
    }

    /// Returns how this build may resume a session.
    ///
    /// - Parameter writer: The build that wrote the session last.
    /// - Throws: `JournalError`.
    func permission(toResumeFrom writer: UInt64) async throws(JournalError) -> Permission {
        guard writer != build() else { return .written }
        try await refresh()
        return state.withLock { permission(toResumeFrom: writer, $0.builds) }
    }

    private func permission(toResumeFrom writer: UInt64, _ builds: [UInt64: JournalBuild]) -> Permission {
        if builds[writer]?.isServing ?? false { return .refused }
        let seen = builds[writer]?.seen ?? start
        if let confirmed = builds[build()]?.confirmed, confirmed > seen { return .written }
        return clock.now().milliseconds &- seen >= confirmationTime ? .written : .unwritten
    }

    /// Confirms the release of this build, unless another one serves, too.
    ///
    /// - Returns: The other builds that serve.
    /// - Throws: `JournalError`.
    func confirm() async throws(JournalError) -> [JournalBuild] {
        try await refresh()
        let builds = state.withLock(\.builds)
        let others = builds.values.filter { $0.number != build() && $0.isServing }.sorted { $0.number < $1.number }
        guard others.isEmpty else { return others }
        // Later than any build before was seen.
        let now = max(clock.now().milliseconds, (builds.values.map(\.seen).max() ?? 0) + 1)
        try await journal.note(build(), at: now, isConfirmed: true)
        try await refresh()
        return []
    }

    // MARK: Sessions that are left to other builds

    /// Returns a Boolean value indicating whether this build has found out that it leaves a session to the build that wrote
    /// it, which still serves.
    func isLeft(_ id: SessionID) -> Bool {
        state.withLock { state in
            guard !state.refused.isEmpty, let writer = state.refused[id] else { return false }
            if state.builds[writer]?.isServing ?? false { return true }
            state.refused[id] = nil
            return false
        }
    }

    /// Leaves a session to the build that wrote it; the journal counts that for the operator.
    func leave(_ id: SessionID, to writer: UInt64) async {
        let isNew = state.withLock { state in
            if state.refused.count >= Self.limit, let other = state.refused.keys.first { state.refused[other] = nil }
            return state.refused.updateValue(writer, forKey: id) != writer
        }
        guard isNew else { return }
        // It is a count alone.
        try? await journal.peers?.note(SessionRefusal(of: id.journalKey, by: build(), writtenBy: writer))
    }

    // MARK: Resumptions that are not written

    /// Notes that a session has resumed.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - writer: The build that wrote it.
    /// - Returns: True if that was not known.
    func begin(_ id: SessionID, from writer: UInt64) -> Bool {
        state.withLock { $0.unwritten.updateValue(writer, forKey: id) == nil }
    }

    /// Forgets a session: its resumption is written, or it is over.
    func end(_ id: SessionID) {
        state.withLock { state in
            if !state.unwritten.isEmpty { state.unwritten[id] = nil }
        }
    }

    /// Returns a Boolean value indicating whether a session's resumption is not written, so that no work of it begins.
    func isUnwritten(_ id: SessionID) -> Bool {
        state.withLock { $0.unwritten[id] != nil }
    }

    /// The sessions whose resumption is to be written now, and those that a server of their own build serves again.
    var settled: (written: [SessionID], refused: [SessionID]) {
        state.withLock { state in
            var settled: (written: [SessionID], refused: [SessionID]) = ([], [])
            for (id, writer) in state.unwritten {
                switch permission(toResumeFrom: writer, state.builds) {
                case .written: settled.written.append(id)
                case .refused: settled.refused.append(id)
                case .unwritten: break
                }
            }
            return settled
        }
    }
}
