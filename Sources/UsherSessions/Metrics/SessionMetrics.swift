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
final class CoordinatorTotals: Sendable {
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

    var census: CoordinatorCounts {
        CoordinatorCounts(
            created: created.load(ordering: .relaxed), finished: finished.load(ordering: .relaxed),
            leaked: leaked.load(ordering: .relaxed))
    }

    /// Coordinators in memory now.
    var live: Int { inMemory.load(ordering: .relaxed) }
}
