import Usher
import UsherJournal

/// The clock of a server that shares its journal with other servers.
///
/// The time of day comes from the journal, so that all servers agree about ages and timers.
struct SharedClock: Clock {
    private let peers: any JournalPeers
    private let own: any Clock

    /// Creates the clock; `own` supplies the uptime, and the time of day if the journal's time is unknown.
    init(_ peers: any JournalPeers, own: any Clock) {
        self.peers = peers
        self.own = own
    }

    func now() -> Timestamp { peers.now().map { Timestamp(milliseconds: $0) } ?? own.now() }

    func sleep(until time: Timestamp) async throws {
        guard peers.now() != nil else { return try await own.sleep(until: time) }
        // Waits in steps of at most a minute, because the journal's clock may be changed in the meantime.
        while case let rest = time.milliseconds &- now().milliseconds, rest > 0 {
            try await own.sleep(untilUptime: own.uptime &+ min(rest, 60_000))
        }
    }

    var uptime: Int64 { own.uptime }

    func sleep(untilUptime uptime: Int64) async throws { try await own.sleep(untilUptime: uptime) }
}
