import Synchronization
import UsherMetrics

/// What is counted of all sessions of a registry.
final class SessionMetrics: Sendable {
    /// By app, in the order of the registry's; at the end what belongs to none.
    let apps: [AppMetrics]
    /// How long it took to build trees again, in nanoseconds.
    let wakingTimes = Histogram.times()
    /// How long effects took, in nanoseconds.
    let effectTimes = Histogram.times()
    private let running = Atomic(0)
    private let incidents = Counters()

    /// Makes the metrics of apps with these names.
    init(apps names: [String]) {
        apps = (names + [""]).map(AppMetrics.init)
    }

    /// Where the metrics are of what belongs to no app.
    var nameless: Int { apps.count - 1 }

    /// Where the metrics of an app are.
    func index(of name: String) -> Int {
        apps.firstIndex { $0.app == name } ?? nameless
    }

    /// What is counted of an app's sessions.
    func app(_ name: String) -> AppMetrics { apps[index(of: name)] }

    func count(_ event: SessionEvent) {
        if let incident = Incident(event) { incidents.add(at: incident.rawValue) }
    }

    func number(of incident: Incident) -> Int { incidents[incident.rawValue] }

    /// How many effects run now.
    var runningEffects: Int { running.load(ordering: .relaxed) }

    func beginEffect() {
        running.wrappingAdd(1, ordering: .relaxed)
    }

    /// - Parameter duration: How long it took.
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
