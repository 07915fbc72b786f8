import Synchronization
import Usher
import UsherMetrics

/// The metrics of all sessions of a registry.
final class SessionMetrics: Sendable {
    /// By app, in the order of the registry's; at the end what belongs to none.
    let apps: [AppMetrics]
    /// The times of replays that woke sessions, in nanoseconds.
    let wakingTimes = Histogram.times()
    /// The times that effects took, in nanoseconds.
    let effectTimes = Histogram.times()
    private let running = Atomic(0)
    private let incidents = Counters()

    /// Makes the metrics of apps with these names.
    init(apps names: [String]) {
        apps = (names + [""]).map(AppMetrics.init)
    }

    /// The index of the metrics of sessions whose app is not known.
    var nameless: Int { apps.count - 1 }

    /// The index of an app's metrics.
    func index(of name: String) -> Int {
        apps.firstIndex { $0.app == name } ?? nameless
    }

    /// The metrics of an app's sessions.
    func app(_ name: String) -> AppMetrics { apps[index(of: name)] }

    func count(_ event: SessionEvent) {
        if let incident = Incident(event) { incidents.add(at: incident.rawValue) }
    }

    func number(of incident: Incident) -> Int { incidents[incident.rawValue] }

    /// The number of effects that run now.
    var runningEffects: Int { running.load(ordering: .relaxed) }

    func beginEffect() {
        running.wrappingAdd(1, ordering: .relaxed)
    }

    /// - Parameter duration: The time that it took.
    func endEffect(after duration: Duration) {
        running.wrappingSubtract(1, ordering: .relaxed)
        effectTimes.record(duration.nanoseconds)
    }
}

extension Duration {
    /// In whole nanoseconds.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000)
    }
}

/// The metrics of one app's sessions.
final class AppMetrics: Sendable {
    /// The app; empty for sessions of which that is not known.
    let app: String
    private let events = Counters()
    private let steps = Counters()
    private let effects = Counters()
    private let timers = Counter()

    init(app: String) {
        self.app = app
    }

    func count(_ outcome: EventOutcome) { events.add(at: outcome.rawValue) }

    func count(_ step: LifeStep) { steps.add(at: step.rawValue) }

    func count(_ end: EffectEnd) { effects.add(at: end.rawValue) }

    func countTimer() { timers.add() }

    func number(of outcome: EventOutcome) -> Int { events[outcome.rawValue] }

    func number(of step: LifeStep) -> Int { steps[step.rawValue] }

    func number(of end: EffectEnd) -> Int { effects[end.rawValue] }

    /// The number of timers that have fired.
    var timerCount: Int { timers.value }
}

/// The coordinators of all sessions, those that have ended included: the server's proof that memory comes back.
///
/// In place in what has it: an object would be counted by reference at each input.
struct CoordinatorTotals: ~Copyable, Sendable {
    private let created = Atomic(0)
    private let finished = Atomic(0)
    private let leaked = Atomic(0)
    private let inMemory = Atomic(0)

    func add(_ growth: CoordinatorCounts) {
        guard growth != CoordinatorCounts() else { return }
        created.add(growth.created, ordering: .relaxed)
        finished.add(growth.finished, ordering: .relaxed)
        leaked.add(growth.leaked, ordering: .relaxed)
        inMemory.add(growth.live, ordering: .relaxed)
    }

    /// Coordinators that were counted before are in memory again.
    func wake(_ count: Int) {
        inMemory.add(count, ordering: .relaxed)
    }

    /// Coordinators left memory without having ended.
    func hibernate(_ count: Int) {
        inMemory.subtract(count, ordering: .relaxed)
    }

    /// Coordinators of a tree that was dropped before have ended.
    func end(_ count: Int) {
        add(CoordinatorCounts(created: 0, finished: count, leaked: 0))
    }

    var coordinatorCounts: CoordinatorCounts {
        CoordinatorCounts(
            created: created.load(ordering: .relaxed), finished: finished.load(ordering: .relaxed),
            leaked: leaked.load(ordering: .relaxed))
    }

    /// Coordinators in memory now.
    var live: Int { inMemory.load(ordering: .relaxed) }
}

/// The outcome of an input of a user's or a backend's.
enum EventOutcome: Int, CaseIterable {
    /// It counted: there is a new revision.
    case accepted
    /// It was known already: a screen that had left was reported to have left.
    case repeated
    /// The first answer to its idempotency key was given again.
    case replayed
    /// Its screen is covered, gone, or was never there.
    case stale
    /// There is no such event, or its payload does not decode.
    case invalid
    /// The app refused it.
    case refused
    /// It would have crossed a limit.
    case limit
    /// A handler failed.
    case failed
    /// The session was at another revision than it asked for.
    case precondition
    /// Its idempotency key was another request's.
    case reused
    /// The session was over.
    case ended
    /// There was no such session, or it was another's.
    case unknown
    /// The journal could not be written or read.
    case unavailable
    /// This build must not serve the session.
    case held
    /// It ended the process of this build before, and was refused.
    case crashes
    /// It would have shown a screen that the client cannot draw.
    case undrawable
}

extension EventOutcome {
    /// The outcome of an input that led to an error; nil where it is tried again.
    init?(_ error: SessionError) {
        switch error {
        case .rejected(let rejection, _), .notOpened(let rejection): self.init(rejection)
        case .preconditionFailed: self = .precondition
        case .keyReused: self = .reused
        case .ended: self = .ended
        case .unknown, .denied, .answerDenied: self = .unknown
        case .retired: return nil
        case .inputCrashes: self = .crashes
        case .onHold: self = .held
        case .notRecorded, .outcomeUnknown, .notRead, .servedElsewhere, .notTried, .full, .noRoom, .tooManyWatchers:
            self = .unavailable
        case .unknownApp, .invalidOptions, .noRevision, .unsupported: self = .invalid
        case .cannotStart: self = .failed
        }
    }

    private init(_ rejection: Rejection) {
        switch rejection.kind {
        case .stale: self = .stale
        case .invalid: self = .invalid
        case .refused: self = .refused
        case .limit: self = .limit
        case .undrawable: self = .undrawable
        case .failed: self = .failed
        }
    }
}

/// A step in a session's life, its inputs apart.
enum LifeStep: Int, CaseIterable {
    /// It was opened.
    case opened
    /// Its tree was built again from the journal.
    case woken
    /// It gave its tree back.
    case hibernated
    /// Its root coordinator finished.
    case finished
    /// Its root coordinator gave up.
    case cancelled
    /// A client deleted it.
    case deleted
    /// Nobody used it for too long.
    case expired

    /// The steps that end a session.
    static let endings: [LifeStep] = [.finished, .cancelled, .deleted, .expired]

    /// The end for a reason.
    init(_ reason: Tombstone.Reason) {
        switch reason {
        case .finished: self = .finished
        case .cancelled: self = .cancelled
        case .deleted: self = .deleted
        case .expired: self = .expired
        }
    }
}

/// The outcome of an effect.
enum EffectEnd: Int, CaseIterable {
    /// It gave a value.
    case succeeded
    /// It failed.
    case failed
    /// It took too long.
    case timeout
    /// Its coordinator finished or its screen left, or the session ended.
    case cancelled

    /// The end with an outcome.
    init(_ outcome: EffectOutcome) {
        switch outcome {
        case .success: self = .succeeded
        case .failure(let failure): self = failure.code == EffectFailure.timeout.code ? .timeout : .failed
        }
    }
}
