import Usher

/// Decides whether the time of day is reliable enough to end sessions and to delete ended ones.
///
/// `ClockTrust` compares the time of day with the uptime, which nobody can set. After a jump, the time of day may be
/// wrong and may soon be corrected, so no session expires for an hour. `ClockTrust` cannot detect that the clock was
/// already wrong at the server's start, so no ended session is deleted in the first hour.
struct ClockTrust {
    /// The result of reading both clocks.
    struct ClockVerdict {
        /// The time of day.
        let now: Timestamp
        /// The milliseconds by which the time of day jumped since the last reading; `nil` without a jump.
        let jump: Int64?
        /// A Boolean value that indicates whether sessions may expire.
        let mayEnd: Bool
        /// A Boolean value that indicates whether ended sessions may be deleted.
        let mayForget: Bool
    }

    /// The expected difference between the time of day and the uptime, in milliseconds.
    private var offset: Int64
    private var lastUptime: Int64
    /// The uptimes from which sessions may expire, and from which ended sessions may be deleted.
    private var trustedFrom: (end: Int64, forget: Int64)
    private(set) var jumps = 0

    /// The largest difference in milliseconds that does not count as a jump.
    private static let tolerance: Int64 = 60_000
    /// The time for which the clock is not trusted after a jump or the start, in milliseconds.
    private static let patience: Int64 = 3_600_000
    /// The milliseconds in which a clock daemon may change the clock by 1 ms, which is no jump.
    private static let slew: Int64 = 1_000

    /// Starts the comparison; called at the server's start.
    init(_ clock: some Clock) {
        lastUptime = clock.uptime
        offset = clock.now().milliseconds &- lastUptime
        trustedFrom = (end: lastUptime, forget: lastUptime &+ Self.patience)
    }

    /// Returns `true` if no session may expire at this uptime.
    func isDistrusted(at uptime: Int64) -> Bool { uptime < trustedFrom.end }

    mutating func read(_ clock: some Clock) -> ClockVerdict {
        let (now, uptime) = (clock.now(), clock.uptime)
        let difference = now.milliseconds &- uptime &- offset
        let hasJumped = difference.magnitude > UInt64(Self.tolerance)
        if hasJumped {
            jumps += 1
            offset &+= difference
            trustedFrom = (end: uptime &+ Self.patience, forget: max(trustedFrom.forget, uptime &+ Self.patience))
        } else {
            let step = max(0, uptime &- lastUptime) / Self.slew
            offset &+= min(max(difference, -step), step)
        }
        lastUptime = uptime
        return ClockVerdict(
            now: now, jump: hasJumped ? difference : nil, mayEnd: uptime >= trustedFrom.end,
            mayForget: uptime >= trustedFrom.forget)
    }
}
