import Synchronization
import Usher
import UsherJournal
package import UsherMetrics
import UsherProcess

extension SessionRegistry {
    /// Writes the metrics of the sessions and their journal.
    package func writeMetrics(into writer: inout MetricsWriter) {
        writeSessions(into: &writer)
        writeCoordinators(into: &writer)
        writeApps(into: &writer)
        writeEffects(into: &writer)
        writeIncidents(into: &writer)
        writeClock(into: &writer)
        settings.journal.metrics?.write(into: &writer)
    }

    private func writeSessions(into writer: inout MetricsWriter) {
        let (all, awake) = (sessionCount, awakeCount)
        writer.begin("usher_sessions", .gauge, "Live sessions, by whether they are in memory.")
        if settings.isShared {
            // There is no sample of hibernated sessions, because a session that is not in this server's memory may be
            // in the memory of another server.
            writer.sample(awake, ["state": "awake"])
            writer.gauge("usher_journal_sessions", "Live sessions in the journal.", all)
        } else {
            writer.sample(min(awake, all), ["state": "awake"])
            writer.sample(max(0, all - awake), ["state": "hibernated"])
        }
        writer.begin(
            "usher_sessions_held", .gauge,
            "Sessions known to be on hold for this build, by reason.")
        let held = settings.held.counts
        for kind in HoldReason.Kind.allCases { writer.sample(held[kind, default: 0], ["reason": kind.rawValue]) }
        writer.gauge(
            "usher_sessions_limit", "The most sessions that can exist at the same time.", settings.bounds.sessionLimit)
        writer.gauge("usher_watchers", "Streams and long polls that watch a session.", watcherCount)
        writer.histogram(
            "usher_session_wake_duration_seconds",
            "Duration of the replays that bring sessions back into memory.", settings.metrics.wakingTimes.distribution)
    }

    private func writeCoordinators(into writer: inout MetricsWriter) {
        let counts = coordinatorCounts
        writer.gauge("usher_coordinators", "Coordinators in memory.", liveCoordinators)
        writer.counter("usher_coordinators_created_total", "Coordinators that were started.", counts.created)
        writer.counter("usher_coordinators_finished_total", "Coordinators that have ended.", counts.finished)
        writer.counter(
            "usher_coordinators_leaked_total",
            "Coordinators and view models that stayed in memory after they had ended.", counts.leaked)
    }

    private func writeClock(into writer: inout MetricsWriter) {
        let uptime = settings.clock.uptime
        let (jumps, isDistrusted) = trust.withLock { ($0.jumps, $0.isDistrusted(at: uptime)) }
        writer.counter("usher_clock_jumps_total", "How often the time of day jumped by more than a minute.", jumps)
        writer.gauge(
            "usher_clock_distrusted",
            "1 if no session expires, because the time of day has jumped; otherwise 0.", isDistrusted ? 1 : 0)
        guard let peers = settings.peers else { return }
        writer.begin(
            "usher_clock_offset_seconds", .gauge,
            "Seconds that this server's clock is ahead of the database's; beyond 60, no session expires.")
        writer.sample(Double(peers.clockError) / 1_000)
    }

    private func writeIncidents(into writer: inout MetricsWriter) {
        writer.begin("usher_incidents_total", .counter, "Incidents that only the log reports, by kind.")
        for incident in Incident.allCases {
            writer.sample(settings.metrics.number(of: incident), ["kind": "\(incident)"])
        }
    }
}

extension SessionRegistry {
    func writeApps(into writer: inout MetricsWriter) {
        writer.begin("usher_events_total", .counter, "Inputs from users and backends, by outcome.")
        for app in settings.metrics.apps {
            for outcome in EventOutcome.allCases {
                writer.sample(app.number(of: outcome), ["app": app.app, "outcome": "\(outcome)"])
            }
        }
        write("usher_sessions_opened_total", .opened, "Opened sessions, including forks.", into: &writer)
        writer.begin("usher_sessions_ended_total", .counter, "Ended sessions, by reason.")
        for app in settings.metrics.apps {
            for step in LifeStep.endings {
                writer.sample(app.number(of: step), ["app": app.app, "reason": "\(step)"])
            }
        }
        write("usher_sessions_woken_total", .woken, "Sessions that were rebuilt from the journal.", into: &writer)
        write(
            "usher_sessions_hibernated_total", .hibernated, "Sessions that left memory without ending.", into: &writer)
    }

    func writeEffects(into writer: inout MetricsWriter) {
        writer.gauge("usher_effects_running", "Running effects.", settings.metrics.runningEffects)
        writer.gauge(
            "usher_effect_threads",
            "Threads of effects; more are started while effects block.", settings.threads.effects.threadCount)
        writer.begin("usher_effects_total", .counter, "Ended effects, by outcome.")
        for app in named {
            for end in EffectEnd.allCases {
                writer.sample(app.number(of: end), ["app": app.app, "outcome": "\(end)"])
            }
        }
        writer.histogram(
            "usher_effect_duration_seconds", "Duration of effects.", settings.metrics.effectTimes.distribution)
        writer.begin("usher_timers_fired_total", .counter, "Timers that fired.")
        for app in named { writer.sample(app.timerCount, ["app": app.app]) }
    }

    private var named: ArraySlice<AppMetrics> { settings.metrics.apps.dropLast() }

    private func write(_ name: String, _ step: LifeStep, _ help: String, into writer: inout MetricsWriter) {
        writer.begin(name, .counter, help)
        for app in named { writer.sample(app.number(of: step), ["app": app.app]) }
    }
}
