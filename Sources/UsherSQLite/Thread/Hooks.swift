/// What a test watches or sets.
struct Hooks: Sendable {
    /// Bytes of a page, for a new file.
    var pageSize = 4096
    /// At how many pages the write-ahead log is copied.
    var checkpointPages = 1000
    /// How long what was taken out may stay in the write-ahead log, in nanoseconds.
    var scrapsPatience: Int64 = 1_000_000_000
    /// How large the table of recent entries becomes.
    var recent = RecentLimits()
    /// How long entries stay there while there is little to do, in nanoseconds.
    var filingPatience: Int64 = 1_000_000_000
    /// Called on the journal's thread with the number of changes in a transaction that was committed.
    var didCommit: @Sendable (Int) -> Void = { _ in }
}
