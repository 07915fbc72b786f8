import Synchronization
import Usher
import UsherJournal
package import UsherProcess

/// The values and services that all sessions of a registry share.
final class SessionSettings: Sendable {
    typealias Background = @Sendable (@escaping @Sendable () async -> Void) -> Void

    let apps: [any App.Type]
    let clock: any Clock
    let journal: any Journal
    /// The other servers on the journal; `nil` if only this server uses the journal.
    let peers: (any JournalPeers)?
    let isShared: Bool
    /// The work that this server owns; `nil` if only this server uses the journal, and therefore owns all work.
    let owned: OwnedWork?
    let bounds: SessionBounds
    let totals = CoordinatorTotals()
    let watches: Watches
    let waiting: WaitingBytes
    let gate = AdmissionGate()
    let waits = OpenWaits()
    let held: HeldSessions
    let releases: Releases
    let threads: SessionThreads
    let metrics: SessionMetrics
    /// The flight record, which contains marks of running app code; `nil` for no flight record.
    let flight: FlightRecord?
    let guilty: GuiltyInputs
    private let services = Services()
    /// Runs work that no request waits for.
    let background: Background
    /// Reports an event to the operator.
    let observe: @Sendable (SessionEvent) -> Void
    /// Removes a session from memory.
    let leave: @Sendable (Session) -> Void

    init(
        apps: [any App.Type], clock: any Clock, journal: any Journal, bounds: SessionBounds,
        crashes: CrashSettings, flight: FlightRecord?, threads: SessionThreads,
        background: @escaping Background, observe: @escaping @Sendable (SessionEvent) -> Void,
        leave: @escaping @Sendable (Session) -> Void
    ) {
        self.apps = apps
        self.clock = journal.peers.map { SharedClock($0, own: clock) } ?? clock
        self.journal = journal
        peers = journal.peers
        isShared = journal.peers != nil
        owned = journal.peers.map { OwnedWork($0) }
        self.bounds = bounds
        self.flight = flight
        self.threads = threads
        self.background = background
        self.leave = leave
        guilty = GuiltyInputs(crashes)
        held = HeldSessions(journal, self.clock, build: guilty.build)
        releases = Releases(journal, self.clock, build: guilty.build, bounds: bounds)
        let metrics = SessionMetrics(apps: apps.map { $0.name })
        self.metrics = metrics
        self.observe = { event in
            metrics.count(event)
            observe(event)
        }
        waiting = WaitingBytes(bound: bounds.waitingLimit)
        watches = Watches(perSession: bounds.watcherLimit, all: bounds.allWatchersLimit, waiting: waiting)
    }

    /// If a timer is due within this time, its session stays in memory, or wakes.
    static let foresight = Duration.seconds(60)

    /// If a timer is due before this time, its session stays in memory; in milliseconds since 1970.
    var soon: Int64 { clock.now().milliseconds &+ Self.foresight.milliseconds }

    /// Returns `true` if a server of the build that wrote a session on hold is running, so that the verdict is void.
    func isLeftToWriter(_ verdict: HeldSessions.Verdict) -> Bool { verdict.writer.map(releases.isServing) ?? false }

    /// Records that this thread no longer runs the app's code for its request.
    func endFlight() { flight?.end() }

    /// Returns the services that an app's effects use.
    ///
    /// - Throws: The error of the app's `services()`.
    func services(of name: String) throws -> any Sendable {
        guard let app = apps.app(named: name) else { throw ReplayError.unknownApp(name) }
        return try services.services(of: app)
    }

    /// Returns a replay of a session's entries, which marks its steps in the flight record.
    func replay(_ entries: some Sequence<Entry>, of id: SessionID, _ app: String) -> Replay {
        Replay(
            entries, apps: apps, stateLimit: bounds.stateLimit, by: guilty.build(),
            marking: SessionFlight(flight, of: id.journalKey, app: app))
    }

    /// Returns the journal's answer to a query.
    ///
    /// - Throws: `SessionError` instead of the journal's error.
    func ask<Answer>(
        _ query: @autoclosure () async throws(JournalError) -> Answer
    ) async throws(SessionError) -> Answer {
        do throws(JournalError) { return try await query() } catch { throw SessionError(reading: error) }
    }
}

/// The threads for code that would block the threads of requests and commits.
package struct SessionThreads: Sendable {
    /// The threads of effects; an effect may block its thread.
    let effects: any ThreadedExecutor
    /// The threads of long replays.
    let replays: any ThreadedExecutor

    /// Creates the threads; by default, as many threads for replays as there are processors.
    package init(
        effects: any ThreadedExecutor = ElasticExecutor(),
        replays: any ThreadedExecutor = ElasticExecutor(limit: ElasticExecutor.processors)
    ) {
        self.effects = effects
        self.replays = replays
    }
}

/// The limits of a registry and its sessions.
package struct SessionBounds: Sendable {
    /// The largest number of live sessions, including hibernated ones.
    package var sessionLimit = 1_000_000
    /// The largest number of sessions in memory; beyond it, the least recently used sessions hibernate.
    package var awakeLimit = Int.max
    /// The largest number of inputs since the session's opening, or since the input with which it last started over.
    package var inputLimit = 10_000
    /// The largest size of a session's inputs in the journal, in bytes; the last input may exceed this size.
    package var recordLimit = 16 * 1024 * 1024
    /// The largest size of a session's stored answers, in bytes; beyond it, the oldest answers lose their bodies.
    package var answerLimit = 256 * 1024
    /// The largest size of all ended sessions in the journal, in bytes; beyond it, the oldest are deleted early.
    package var residueLimit = 1 << 30
    /// The time without use after which a session hibernates.
    package var idleTime = Duration.seconds(5 * 60)
    /// The time without use after which a session expires.
    package var expiryTime = Duration.seconds(24 * 60 * 60)
    /// The time after a recorded use in which further uses are not recorded.
    var useCover: Duration { expiryTime / 16 }
    /// The time without use after which a session on hold expires, if `expiryTime` has also passed.
    package var heldExpiryTime = Duration.seconds(30 * 24 * 60 * 60)
    /// The time in which a session can return to its former build, after the last server of that build has stopped.
    ///
    /// The time applies to sessions that this build cannot follow, and that have received no input in this build.
    package var confirmationTime = Duration.seconds(60 * 60)
    /// The time for which the journal records the end of a session; afterwards, the session is unknown.
    package var tombstoneTime = Duration.seconds(7 * 24 * 60 * 60)
    /// The time that an effect may run; afterwards, the effect's coordinator receives a timeout.
    package var effectTime = Duration.seconds(60)
    /// The largest number of watchers of one session.
    package var watcherLimit = 2_000
    /// The largest number of watchers of all sessions.
    package var allWatchersLimit = 10_000
    /// The largest size of states that wait for all slow readers of streams, in bytes.
    package var waitingLimit = 64 * 1024 * 1024
    /// The upper bound of the limits that an app can set for its screens' JSON and an effect's output, in bytes.
    package var stateLimit = Limits.usualStateLimit

    package init() {}
}

/// The part of a session's quota of inputs and bytes that is used.
struct SessionUsage {
    private let inputs: (used: Int, limit: Int)
    private let bytes: (used: Int, limit: Int)

    init(_ quota: InputQuota, at revision: Int, bytes: Int, within bounds: SessionBounds) {
        inputs = (revision &- quota.start &+ 1, quota.limit)
        self.bytes = (bytes, bounds.recordLimit)
    }

    /// Creates the usage of a new session that begins with given inputs.
    init(inputs: Int, bytes: Int, within bounds: SessionBounds) {
        self.inputs = (inputs, bounds.inputLimit)
        self.bytes = (bytes, bounds.recordLimit)
    }

    /// Checks an input against the quota.
    ///
    /// A stale input is rejected as stale even if the quota is used up. A fact that the session already knows is
    /// admitted, because the fact adds no entry.
    ///
    /// - Returns: The input. If the quota is used up and the input is the result of work, the rejection of this result,
    ///   because work that has started must end.
    func admit(_ content: InputContent, on tree: Tree) throws(Rejection) -> InputContent {
        guard let excess, try tree.isNews(content) else { return content }
        guard let refused = content.discarded(excess.reason) else { throw excess }
        return refused
    }

    /// The rejection of all further inputs; `nil` while the session accepts inputs.
    var excess: Rejection? {
        guard let measure = measure(from: 1) else { return nil }
        return Rejection(
            .limit,
            """
            the session has reached its limit of \(measure.limit) \(measure.unit); open another with POST /sessions. An app \
            that needs more inputs must call startOver(with:) in time, for example when its inputCount is high; this resets \
            the count
            """)
    }

    /// The warnings for the client when 80 % of the quota is used.
    var notes: [String] {
        guard let measure = measure(from: 0.8) else { return [] }
        return [
            """
            the session has used \(measure.used) of \(measure.limit) \(measure.unit); at the limit it accepts no more \
            inputs, so open another session in time, unless the app starts over
            """
        ]
    }

    /// Returns the first limit of which at least the given part is used; `nil` if there is no such limit.
    private func measure(from part: Double) -> (used: Int, limit: Int, unit: String)? {
        if Double(inputs.used) >= Double(inputs.limit) * part { return (inputs.used, inputs.limit, "inputs") }
        if Double(bytes.used) >= Double(bytes.limit) * part { return (bytes.used, bytes.limit, "bytes of inputs") }
        return nil
    }
}

struct InputQuota {
    /// The revision of the first input that is counted.
    let start: Int
    let limit: Int

    /// Creates the quota of a session, and records the quota's limit in the session's header.
    ///
    /// A session that already has more inputs than the current limit keeps its former limit.
    init(noting bounds: SessionBounds, in header: inout SessionHeader) {
        let history = header.history
        start = history.start
        if header.entryCount > bounds.inputLimit {
            limit = max(bounds.inputLimit, history.inputLimit ?? 0)
        } else {
            limit = bounds.inputLimit
            if history.inputLimit != limit { header.history.inputLimit = limit }
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds, at most 292 years.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
