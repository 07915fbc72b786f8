import Synchronization
import Usher
import UsherMetrics

extension Session {
    /// Where its app's counts are kept; nobody's until it has been awake.
    var metrics: AppMetrics { settings.metrics.apps[app.load(ordering: .relaxed)] }

    /// Counts an input of a user's or a backend's.
    func count(_ handled: Handled) {
        metrics.count(handled.outcome)
        countEnding(handled.snapshot)
    }

    /// Counts an input that did nothing, unless it is tried again.
    func count(_ error: SessionError) {
        if let outcome = EventOutcome(error) { metrics.count(outcome) }
    }

    /// Counts a key's first answer that is given again.
    func replay(_ first: Snapshot) -> Snapshot {
        metrics.count(.replayed)
        return first
    }

    /// Counts the end of the session, where an input has ended it.
    func countEnding(_ snapshot: Snapshot) {
        if let ending = snapshot.ending { metrics.count(LifeStep(.init(ending.reason))) }
    }

    /// Counts the waking of the session, and how long it takes.
    func timingWaking(_ body: () async -> Awakening) async -> Awakening {
        let start = ContinuousClock.now
        let awakening = await body()
        guard case .live = awakening else { return awakening }
        settings.metrics.wakingTimes.record((ContinuousClock.now - start).nanoseconds)
        metrics.count(.woken)
        return awakening
    }

    /// Counts an effect, and how long it takes.
    func counting(_ body: () async -> EffectOutcome) async -> EffectOutcome {
        let start = ContinuousClock.now
        settings.metrics.beginEffect()
        let outcome = await body()
        settings.metrics.endEffect(after: .now - start)
        metrics.count(Task.isCancelled ? .cancelled : EffectEnd(outcome))
        return outcome
    }
}
