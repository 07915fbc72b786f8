import UsherMetrics

/// What is counted of one app's sessions.
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

    /// How many timers have fired.
    var timerCount: Int { timers.value }
}
