import Usher
import UsherProcess
import UsherSessions

/// The machine's clock.
struct SystemClock: Clock {
    func now() -> Timestamp {
        Timestamp(milliseconds: WallTime.milliseconds())
    }

    func sleep(until time: Timestamp) async throws {
        // In steps, for the time of day may be set meanwhile.
        while case let rest = time.milliseconds &- WallTime.milliseconds(), rest > 0 {
            try await Task.sleep(for: .milliseconds(min(rest, 60_000)))
        }
    }

    var uptime: Int64 { UptimeClock.milliseconds }

    func sleep(untilUptime uptime: Int64) async throws {
        while case let rest = uptime &- self.uptime, rest > 0 { try await Task.sleep(for: .milliseconds(rest)) }
    }
}
