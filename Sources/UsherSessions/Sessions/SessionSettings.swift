import Synchronization
import Usher
import UsherJournal
package import UsherProcess

/// All that the sessions of a registry share.
final class SessionSettings: Sendable {
    typealias Background = @Sendable (@escaping @Sendable () async -> Void) -> Void

    let apps: [any App.Type]
    let clock: any Clock
    let journal: any Journal
    /// The other servers on the journal; nil where this one alone has it.
    let peers: (any JournalPeers)?
    /// True where other servers may write the same sessions.
    let isShared: Bool
    /// The work that this server owns; nil where it owns all.
    let owned: OwnedWork?
    let bounds: SessionBounds
    let totals = CoordinatorTotals()
    let watches: Watches
    /// The states that wait for slow readers.
    let waiting: WaitingBytes
    /// Refuses work while memory is scarce.
    let gate = AdmissionGate()
    let waits = OpenWaits()
    let held: HeldSessions
    let releases: Releases
    let threads: SessionThreads
    let metrics: SessionMetrics
    /// The record that says whose author's code runs; nil where nobody has to know.
    let flight: FlightRecord?
    let guilty: GuiltyInputs
    private let services = Services()
    /// Runs work that no request waits for.
    let background: Background
    /// Tells an operator what no client is told.
    let observe: @Sendable (SessionEvent) -> Void
    /// Lets a session leave memory.
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

    /// So long before its time a timer's session is woken, or held awake.
    static let foresight = Duration.seconds(60)

    /// The time by which a timer is due that holds its session awake: milliseconds since 1970.
    var soon: Int64 { clock.now().milliseconds &+ Self.foresight.milliseconds }

    /// The mark that tells revisions from those that a crash took back; nil where none can be.
    var epoch: String? { journal.epoch }

    /// Returns a Boolean value indicating whether a verdict does not count, because the build that wrote the session serves.
    func isLeftToWriter(_ verdict: HeldSessions.Verdict) -> Bool { verdict.writer.map(releases.isServing) ?? false }

    /// True where somebody watches a session.
    func isWatched(_ id: SessionID) -> Bool { watches.isWatched(id) }

    /// Lets work through.
    ///
    /// - Parameters:
    ///   - work: The kind of work.
    ///   - bytes: The memory that it may take, which counts until the gate's `settle`.
    /// - Throws: `SessionError.noRoom` while its kind is refused.
    func admit(_ work: Admission, expecting bytes: Int = 0) throws(SessionError) {
        try gate.admit(work, expecting: bytes)
    }

    /// Counts the memory that work may take, until the gate's `settle`.
    ///
    /// - Parameter work: The kind of work; nil for one that is not refused.
    /// - Throws: `SessionError.noRoom` if there is none for it.
    func expect(_ bytes: Int, for work: Admission?) throws(SessionError) {
        guard let work else { return gate.expect(bytes) }
        try gate.admit(work, expecting: bytes)
    }

    /// Notes that no author's code of this thread's request runs any more.
    func endFlight() { flight?.end() }

    /// Hands a change to the journal.
    ///
    /// - Returns: The commit after which it is durable.
    func submit(_ change: consuming JournalChange) -> PendingCommit { journal.submit(change) }

    /// The services that the effects of an app work with.
    ///
    /// - Throws: The error of the app's `services()`.
    func services(of name: String) throws -> any Sendable {
        guard let app = apps.app(named: name) else { throw ReplayError.unknownApp(name) }
        return try services.services(of: app)
    }

    /// Asks the journal something.
    ///
    /// - Throws: `SessionError`, what it means that the journal does not answer.
    func ask<Answer>(
        _ body: (any Journal) async throws(JournalError) -> Answer
    ) async throws(SessionError) -> Answer {
        do throws(JournalError) {
            return try await body(journal)
        } catch {
            throw SessionError(reading: error)
        }
    }
}

/// The threads of what would hold those of requests and commits.
package struct SessionThreads: Sendable {
    /// Those of effects, which may block them.
    let effects: any ThreadedExecutor
    /// Those of long replays.
    let replays: any ThreadedExecutor

    /// Makes a description of threads.
    ///
    /// - Parameters:
    ///   - effects: Those of effects, which may block them.
    ///   - replays: Those of long replays; as many as there are processors unless told.
    package init(
        effects: any ThreadedExecutor = ElasticExecutor(),
        replays: any ThreadedExecutor = ElasticExecutor(limit: ElasticExecutor.processors)
    ) {
        self.effects = effects
        self.replays = replays
    }
}

/// The bounds of a registry and its sessions: their number, their size, and the time that an unused one stays.
package struct SessionBounds: Sendable {
    /// Sessions that may live at the same time, hibernated ones included.
    package var sessionLimit = 1_000_000
    /// Sessions that may be in memory at the same time; the least recently used hibernate.
    package var awakeLimit = Int.max
    /// Inputs that one session may accept since it was opened, or has started over, that included.
    package var inputLimit = 10_000
    /// The limit of sessions that do not record any.
    fileprivate static let formerInputLimit = 100_000
    /// Bytes that all these may take in the journal, the last of them not counted.
    package var recordLimit = 16 * 1024 * 1024
    /// Bytes of answers to idempotency keys that one session keeps; beyond it the oldest lose their bodies.
    package var answerLimit = 256 * 1024
    /// Bytes that ended sessions may leave in the journal; beyond it the oldest are forgotten before their time.
    package var residueLimit = 1 << 30
    /// After this time without use a session gives its tree back, and is in the journal alone.
    package var idleTime = Duration.seconds(5 * 60)
    /// After this time without use a session ends.
    package var expiryTime = Duration.seconds(24 * 60 * 60)
    /// The journal notes a use for so long ahead.
    var useCover: Duration { expiryTime / 16 }
    /// After this time without an input, a session ends that this build must not serve, but not before `expiryTime`.
    package var heldExpiryTime = Duration.seconds(30 * 24 * 60 * 60)
    /// For this time after the last server of another build is gone, a session that it wrote last and that this build cannot
    /// follow to its end goes back to it as it was, unless an input came.
    package var confirmationTime = Duration.seconds(60 * 60)
    /// For this time it is told how a session ended; then it is unknown.
    package var tombstoneTime = Duration.seconds(7 * 24 * 60 * 60)
    /// For this time an effect may run; then its coordinator is told that it took too long.
    package var effectTime = Duration.seconds(60)
    /// Those that may watch one session at the same time.
    package var watcherLimit = 2_000
    /// Those that may watch any session at the same time.
    package var allWatchersLimit = 10_000
    /// Bytes of states that may wait for all slow readers of streams.
    package var waitingLimit = 64 * 1024 * 1024
    /// Bytes of JSON of one session's screens, and of an effect's output, that an app's limits may allow.
    package var stateLimit = Limits.usualStateLimit

    /// The default bounds.
    package init() {}
}

/// A session's use of its quota of inputs and bytes.
struct SessionUsage {
    private let inputs: (used: Int, limit: Int)
    private let bytes: (used: Int, limit: Int)

    /// Creates the use of a session that has come to a revision.
    init(_ quota: InputQuota, at revision: Int, bytes: Int, within bounds: SessionBounds) {
        inputs = (revision &- quota.start &+ 1, quota.limit)
        self.bytes = (bytes, bounds.recordLimit)
    }

    /// Creates the use of inputs that are to become a session's.
    init(inputs: Int, bytes: Int, within bounds: SessionBounds) {
        self.inputs = (inputs, bounds.inputLimit)
        self.bytes = (bytes, bounds.recordLimit)
    }

    /// Checks an input against the quota.
    ///
    /// A client that is behind is told that first: it catches up by the answer, and then learns of the limit. A fact that is
    /// known already adds nothing.
    ///
    /// - Returns: The input; beyond the quota a result as a refused one, for work that has begun must come to its end,
    ///   and there is not much of it.
    func admit(_ content: InputContent, on tree: Tree) throws(Rejection) -> InputContent {
        guard let excess, try tree.isNews(content) else { return content }
        guard let refused = content.discarded(excess.reason) else { throw excess }
        return refused
    }

    /// The answer to any further input; nil as long as the session accepts one.
    var excess: Rejection? {
        guard let measure = measure(from: 1) else { return nil }
        return Rejection(
            .limit,
            """
            a session can take \(measure.limit) \(measure.unit), and this one has; open another with POST /sessions. An app \
            that needs more calls startOver(with:) in time, with which the count begins anew
            """)
    }

    /// The warnings that a client gets before it comes to that: from 80 % on.
    var notes: [String] {
        guard let measure = measure(from: 0.8) else { return [] }
        return [
            """
            the session has taken \(measure.used) of \(measure.limit) \(measure.unit); after these it takes no more, \
            so open another in time, unless the app starts over
            """
        ]
    }

    /// The first limit of which a part is used.
    private func measure(from part: Double) -> (used: Int, limit: Int, unit: String)? {
        if Double(inputs.used) >= Double(inputs.limit) * part { return (inputs.used, inputs.limit, "inputs") }
        if Double(bytes.used) >= Double(bytes.limit) * part { return (bytes.used, bytes.limit, "bytes of inputs") }
        return nil
    }
}

/// A session's quota of inputs.
struct InputQuota {
    /// The revision of the first input that counts.
    let start: Int
    /// The number of inputs.
    let limit: Int

    /// Creates the quota of a session, and notes the limit in its header.
    ///
    /// A session that has more inputs than the limit keeps the limit under which it took them.
    init(noting bounds: SessionBounds, in header: inout SessionHeader) {
        let history = header.history
        start = history.start
        if header.entryCount > bounds.inputLimit {
            limit = max(bounds.inputLimit, history.inputLimit ?? SessionBounds.formerInputLimit)
        } else {
            limit = bounds.inputLimit
            if history.inputLimit != limit { header.history.inputLimit = limit }
        }
    }
}

extension Duration {
    /// In whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000_000_000
    }
}
