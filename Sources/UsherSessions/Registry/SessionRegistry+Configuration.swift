package import Usher

extension SessionRegistry {
    /// How many sessions it may hold, how large each may grow, and how long one that nobody uses stays.
    package struct Configuration: Sendable {
        /// Sessions that may live at the same time, hibernated ones included.
        package var sessionLimit = 1_000_000
        /// Sessions that may be in memory at the same time; the least recently used hibernate.
        package var awakeLimit = Int.max
        /// Inputs that one session may accept, its creation included.
        package var inputLimit = 100_000
        /// Bytes that all these may take in the journal, the last of them not counted.
        package var recordLimit = 16 * 1024 * 1024
        /// After this time without use a session gives its tree back, and keeps only its journal.
        package var idleTime = Duration.seconds(5 * 60)
        /// After this time without use a session ends.
        package var expiryTime = Duration.seconds(24 * 60 * 60)
        /// For this time it is told how a session ended; then it is unknown.
        package var tombstoneTime = Duration.seconds(7 * 24 * 60 * 60)
        /// For this time an effect may run; then its coordinator is told that it took too long.
        package var effectTime = Duration.seconds(60)
        /// Those that may watch one session at the same time.
        package var watcherLimit = 2_000
        /// Those that may watch any session at the same time.
        package var allWatchersLimit = 10_000
        /// How large one tree may grow.
        package var limits = Limits()

        /// The default bounds.
        package init() {}
    }
}

extension Duration {
    /// In whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000_000_000
    }
}
