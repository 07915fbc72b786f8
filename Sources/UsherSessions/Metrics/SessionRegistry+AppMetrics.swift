import UsherMetrics

extension SessionRegistry {
    /// Writes what is counted by app.
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

    /// Writes what is counted of effects.
    func writeEffects(into writer: inout MetricsWriter) {
        writer.begin("usher_effects_running", .gauge, "Effects that run.")
        writer.sample(settings.metrics.runningEffects)
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
