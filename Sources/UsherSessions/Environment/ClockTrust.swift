import Usher

/// The trust in the wall clock, by which sessions end and are forgotten for good.
///
/// It is held against a clock that nobody sets. After a jump against that, the time of day may be wrong, and may soon be
/// set right: for an hour nothing ends for its age. A clock that was wrong when the server started cannot be told from
/// one that was right; for the first hour nothing is forgotten.
struct ClockTrust {
    /// A look at both clocks.
    struct ClockVerdict {
        /// The time of day.
        let now: Timestamp
        /// Milliseconds by which the time of day has jumped since the last look; nil where it has not.
        let jump: Int64?
        /// True where sessions may end for their age.
        let mayEnd: Bool
        /// True where ended sessions may be forgotten.
        let mayForget: Bool
    }

    /// Milliseconds from the uptime to the time of day, as they should be.
    private var offset: Int64
    private var lastUptime: Int64
    /// The uptimes from which on the time of day counts, to end sessions and to forget them.
    private var trustedFrom: (end: Int64, forget: Int64)
    /// The jumps so far.
    private(set) var jumps = 0

    /// Milliseconds beyond which a difference is a jump.
    private static let tolerance: Int64 = 60_000
    /// Milliseconds for which a clock is not trusted.
    private static let patience: Int64 = 3_600_000
    /// A clock that is slewed gains or loses at most 1 ms in so many: that is no jump, however long it goes on.
    private static let slew: Int64 = 1_000

    /// Begins at the server's start.
    init(_ clock: some Clock) {
        lastUptime = clock.uptime
        offset = clock.now().milliseconds &- lastUptime
        trustedFrom = (end: lastUptime, forget: lastUptime &+ Self.patience)
    }

    /// True while nothing ends for its age.
    func isDistrusted(at uptime: Int64) -> Bool { uptime < trustedFrom.end }

    /// Looks at both clocks.
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
