import Usher
import UsherJournal
package import UsherMetrics

extension SessionRegistry {
    /// Writes what is counted of the sessions and of their journal.
    package func writeMetrics(into writer: inout MetricsWriter) {
        writeSessions(into: &writer)
        writeCoordinators(into: &writer)
        writeApps(into: &writer)
        writeEffects(into: &writer)
        writeIncidents(into: &writer)
        settings.journal.metrics?.write(into: &writer)
    }

    private func writeSessions(into writer: inout MetricsWriter) {
        let (all, awake) = (sessionCount, awakeCount)
        writer.begin("usher_sessions", .gauge, "Sessions that have not ended, by whether they are in memory.")
        writer.sample(min(awake, all), ["state": "awake"])
        writer.sample(max(0, all - awake), ["state": "hibernated"])
        writer.begin("usher_sessions_limit", .gauge, "Sessions that may live at the same time.")
        writer.sample(settings.bounds.sessionLimit)
        writer.begin("usher_watchers", .gauge, "Streams and long polls that watch a session.")
        writer.sample(watcherCount)
        writer.begin("usher_session_wake_duration_seconds", .histogram, "How long it took to wake sessions by replay.")
        writer.samples(settings.metrics.wakingTimes.distribution)
    }

    private func writeCoordinators(into writer: inout MetricsWriter) {
        let census = census
        writer.begin("usher_coordinators", .gauge, "Coordinators in memory.")
        writer.sample(liveCoordinators)
        for (name, count, help) in [
            ("created", census.created, "Coordinators that were started."),
            ("finished", census.finished, "Coordinators that have ended, however they ended."),
            ("leaked", census.leaked, "Coordinators and view models that had ended and stayed in memory."),
        ] {
            writer.begin("usher_coordinators_\(name)_total", .counter, help)
            writer.sample(count)
        }
    }

    private func writeIncidents(into writer: inout MetricsWriter) {
        writer.begin("usher_incidents_total", .counter, "What was logged of sessions that no request was told.")
        for incident in Incident.allCases {
            writer.sample(settings.metrics.number(of: incident), ["kind": "\(incident)"])
        }
    }
}
