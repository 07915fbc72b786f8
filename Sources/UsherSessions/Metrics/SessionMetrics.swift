import Synchronization
import Usher
import UsherMetrics
import UsherProcess

/// The metrics of all sessions of a registry.
final class SessionMetrics: Sendable {
    /// The metrics by app, in the order of the registry's apps; the last element is for sessions without a known app.
    let apps: [AppMetrics]
    /// The durations of replays that woke sessions, in nanoseconds.
    let wakingTimes = Histogram.times()
    /// The durations of effects, in nanoseconds.
    let effectTimes = Histogram.times()
    private let running = Atomic(0)
    private let incidents = Counters()

    init(apps names: [String]) {
        apps = (names + [""]).map(AppMetrics.init)
    }

    /// The index of the metrics of sessions without a known app.
    var nameless: Int { apps.count - 1 }

    func index(of name: String) -> Int {
        apps.firstIndex { $0.app == name } ?? nameless
    }

    func app(_ name: String) -> AppMetrics { apps[index(of: name)] }

    func count(_ event: SessionEvent) {
        if let incident = Incident(event) { incidents.add(at: incident.rawValue) }
    }

    func number(of incident: Incident) -> Int { incidents[incident.rawValue] }

    var runningEffects: Int { running.load(ordering: .relaxed) }

    func beginEffect() {
        running.wrappingAdd(1, ordering: .relaxed)
    }

    func endEffect(after duration: Duration) {
        running.wrappingSubtract(1, ordering: .relaxed)
        effectTimes.record(Int(duration.nanoseconds))
    }
}

final class AppMetrics: Sendable {
    /// The app's name; empty for sessions without a known app.
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

    var timerCount: Int { timers.value }
}

/// The numbers of coordinators, in memory and in total, which show whether ended coordinators release their memory.
///
/// The type is a structure, because each input would have to retain and release an object.
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

    /// Adds coordinators that were counted when they were created, and that are in memory again.
    func wake(_ count: Int) {
        inMemory.add(count, ordering: .relaxed)
    }

    /// Subtracts coordinators that left memory but have not ended.
    func hibernate(_ count: Int) {
        inMemory.subtract(count, ordering: .relaxed)
    }

    /// Counts the end of coordinators whose tree was already dropped.
    func end(_ count: Int) {
        add(CoordinatorCounts(created: 0, finished: count, leaked: 0))
    }

    var coordinatorCounts: CoordinatorCounts {
        CoordinatorCounts(
            created: created.load(ordering: .relaxed), finished: finished.load(ordering: .relaxed),
            leaked: leaked.load(ordering: .relaxed))
    }

    var live: Int { inMemory.load(ordering: .relaxed) }
}

/// The outcome of an input from a user or a backend.
enum EventOutcome: Int, CaseIterable {
    /// The input created a new revision.
    case accepted
    /// The input reported that the user had left a screen, but the server knew this already.
    case repeated
    /// The idempotency key was known, so the server sent the first answer again.
    case replayed
    /// The input named a screen that is covered, was removed, or never existed.
    case stale
    /// The event does not exist, or its payload does not decode.
    case invalid
    /// The app refused the input.
    case refused
    /// The input would have exceeded a limit.
    case limit
    /// A handler failed.
    case failed
    /// The request required a revision that is not the session's current revision.
    case precondition
    /// The idempotency key belongs to another request.
    case reused
    case ended
    /// The session does not exist, or the token does not belong to the session.
    case unknown
    /// The journal could not be written or read.
    case unavailable
    /// This build must not serve the session.
    case held
    /// The input had crashed this build before, so the server refused it.
    case crashes
    /// The input would have shown a screen that the client cannot draw.
    case undrawable
}

extension EventOutcome {
    /// Creates the outcome of an input that failed with an error; `nil` if the input is retried.
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

/// A step in a session's life that is not an input.
enum LifeStep: Int, CaseIterable {
    case opened
    /// The session's tree was rebuilt from the journal.
    case woken
    /// The session released its tree.
    case hibernated
    case finished
    case cancelled
    case deleted
    /// The session was not used for too long.
    case expired

    static let endings: [LifeStep] = [.finished, .cancelled, .deleted, .expired]

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
    case succeeded
    case failed
    case timeout
    /// The effect was cancelled, because its coordinator ended, its screen was removed, or the session ended.
    case cancelled

    init(_ outcome: EffectOutcome) {
        switch outcome {
        case .success: self = .succeeded
        case .failure(let failure): self = failure.code == EffectFailure.timeout.code ? .timeout : .failed
        }
    }
}
