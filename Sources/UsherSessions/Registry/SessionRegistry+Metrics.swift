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
        writer.begin("usher_sessions", .gauge, "Sessions that have not ended, by whether they are in memory.")
        if settings.isShared {
            // Sessions that are not in this server's memory may be in another server's.
            writer.sample(awake, ["state": "awake"])
            writer.begin("usher_journal_sessions", .gauge, "Sessions in the journal that have not ended.")
            writer.sample(all)
        } else {
            writer.sample(min(awake, all), ["state": "awake"])
            writer.sample(max(0, all - awake), ["state": "hibernated"])
        }
        writer.begin(
            "usher_sessions_held", .gauge,
            "Sessions that this build must not serve, as far as its servers have found them, by the reason.")
        let held = settings.held.counts
        for kind in HoldReason.Kind.allCases { writer.sample(held[kind, default: 0], ["reason": kind.rawValue]) }
        writer.begin("usher_sessions_limit", .gauge, "Sessions that may live at the same time.")
        writer.sample(settings.bounds.sessionLimit)
        writer.begin("usher_watchers", .gauge, "Streams and long polls that watch a session.")
        writer.sample(watcherCount)
        writer.begin("usher_session_wake_duration_seconds", .histogram, "How long it took to wake sessions by replay.")
        writer.samples(settings.metrics.wakingTimes.distribution)
    }

    private func writeCoordinators(into writer: inout MetricsWriter) {
        let coordinatorCounts = coordinatorCounts
        writer.begin("usher_coordinators", .gauge, "Coordinators in memory.")
        writer.sample(liveCoordinators)
        for (name, count, help) in [
            ("created", coordinatorCounts.created, "Coordinators that were started."),
            ("finished", coordinatorCounts.finished, "Coordinators that have ended, however they ended."),
            ("leaked", coordinatorCounts.leaked, "Coordinators and view models that had ended and stayed in memory."),
        ] {
            writer.begin("usher_coordinators_\(name)_total", .counter, help)
            writer.sample(count)
        }
    }

    private func writeClock(into writer: inout MetricsWriter) {
        let uptime = settings.clock.uptime
        let (jumps, isDistrusted) = trust.withLock { ($0.jumps, $0.isDistrusted(at: uptime)) }
        writer.begin(
            "usher_clock_jumps_total", .counter, "How often the time of day was set by more than a minute.")
        writer.sample(jumps)
        writer.begin(
            "usher_clock_distrusted", .gauge,
            "Whether nothing ends for its age, for the time of day has jumped: 1 or 0.")
        writer.sample(isDistrusted ? 1 : 0)
        guard let peers = settings.peers else { return }
        writer.begin(
            "usher_clock_offset_seconds", .gauge,
            "Seconds by which this server's clock is ahead of the database's; beyond 60 the server expires nothing.")
        writer.sample(Double(peers.clockError) / 1_000)
    }

    private func writeIncidents(into writer: inout MetricsWriter) {
        writer.begin("usher_incidents_total", .counter, "What was logged of sessions that no request was told.")
        for incident in Incident.allCases {
            writer.sample(settings.metrics.number(of: incident), ["kind": "\(incident)"])
        }
    }
}

extension SessionRegistry {
    /// Writes the metrics per app.
    func writeApps(into writer: inout MetricsWriter) {
        writer.begin("usher_events_total", .counter, "What users did and backends told, by what became of it.")
        for app in settings.metrics.apps {
            for outcome in EventOutcome.allCases {
                writer.sample(app.number(of: outcome), ["app": app.app, "outcome": "\(outcome)"])
            }
        }
        write("usher_sessions_opened_total", .opened, "Sessions that were opened, forks included.", into: &writer)
        writer.begin("usher_sessions_ended_total", .counter, "Sessions that have ended, by the reason.")
        for app in settings.metrics.apps {
            for step in LifeStep.endings {
                writer.sample(app.number(of: step), ["app": app.app, "reason": "\(step)"])
            }
        }
        write("usher_sessions_woken_total", .woken, "Sessions that were rebuilt from the journal.", into: &writer)
        write("usher_sessions_hibernated_total", .hibernated, "Sessions that left memory unended.", into: &writer)
    }

    /// Writes the metrics of effects.
    func writeEffects(into writer: inout MetricsWriter) {
        writer.begin("usher_effects_running", .gauge, "Effects that run.")
        writer.sample(settings.metrics.runningEffects)
        writer.begin("usher_effect_threads", .gauge, "Threads of effects; they grow while effects block them.")
        writer.sample(settings.threads.effects.threadCount)
        writer.begin("usher_effects_total", .counter, "Effects that came to their end, by how.")
        for app in named {
            for end in EffectEnd.allCases {
                writer.sample(app.number(of: end), ["app": app.app, "outcome": "\(end)"])
            }
        }
        writer.begin("usher_effect_duration_seconds", .histogram, "How long effects took.")
        writer.samples(settings.metrics.effectTimes.distribution)
        writer.begin("usher_timers_fired_total", .counter, "Timers that were due.")
        for app in named { writer.sample(app.timerCount, ["app": app.app]) }
    }

    private var named: ArraySlice<AppMetrics> { settings.metrics.apps.dropLast() }

    private func write(_ name: String, _ step: LifeStep, _ help: String, into writer: inout MetricsWriter) {
        writer.begin(name, .counter, help)
        for app in named { writer.sample(app.number(of: step), ["app": app.app]) }
    }
}
