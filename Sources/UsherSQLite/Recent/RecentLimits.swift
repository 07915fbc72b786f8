/// How large the table of recent entries becomes.
struct RecentLimits: Sendable {
    /// At how many entries a generation is full; there are two.
    var entries = 16_384
    /// At how many bytes of entries a generation is full.
    var bytes = 4 << 20
    /// Larger entries are never in the table: they would be written twice.
    var entryBytes = 4_096
}
