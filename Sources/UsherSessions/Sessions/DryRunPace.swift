import Synchronization
import UsherProcess

/// The pace of dry runs, which rest ten times as long as they take: a fork holds up the process that it copies, and every
/// page that is written afterwards is copied.
///
/// A session waits only where it had one within the last second: a client that is refused without end slows itself, and
/// its like.
final class DryRunPace: Sendable {
    private struct State {
        /// The time that is given to the next session that waits.
        var rested: Int64 = 0
        /// The time that the last one took, at most `costLimit`.
        var cost: Int64 = 0
        /// The times of the last ones, by session.
        var last: [SessionID: Int64] = [:]
    }

    private let state = Mutex(State())

    private static let second: Int64 = 1_000_000_000
    /// So many times as long as it took is rested after each.
    private static let rest: Int64 = 10
    /// The most that is counted: a copy that loops to its end holds up nobody while it does.
    private static let costLimit: Int64 = 10_000_000
    /// More sessions than there are dry runs in a second; beyond it all are forgotten.
    private static let limit = 4_096

    /// Waits until a session may have one.
    func wait(for session: SessionID) async {
        let delay = delay(of: session, at: MonotonicClock.now)
        // A task that is cancelled waits no more.
        if delay > 0 { try? await Task.sleep(for: .nanoseconds(delay)) }
    }

    /// Gives a session its time, in the order of asking.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - now: The time, by the `MonotonicClock`.
    /// - Returns: Nanoseconds until then: a second at most, whoever asked before.
    func delay(of session: SessionID, at now: Int64) -> Int64 {
        state.withLock { state in
            let waits = state.last[session].map { now - $0 < Self.second } ?? false
            let start = waits ? max(now, state.rested) : now
            state.rested = min(max(start, state.rested) + Self.rest * state.cost, now + Self.second)
            if state.last.count >= Self.limit { state.last = [:] }
            state.last[session] = start
            return start - now
        }
    }

    /// Notes the time that one took, in nanoseconds: the next ones are taken to cost as much.
    func note(_ time: Int64) {
        state.withLock { $0.cost = min(time, Self.costLimit) }
    }
}
