package import UsherMetrics

/// The counters of a journal that commits to a disk.
package final class JournalMetrics: Sendable {
    /// The number of changes in each group commit.
    package let changes = Histogram(bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000])
    /// The bytes of entries and responses in each group commit.
    package let bytes = Histogram(bounds: (8...24).map { 1 << $0 })
    /// The duration of each group commit in nanoseconds.
    package let times = Histogram.times()
    /// The number of failed commits; all changes of a failed commit have failed.
    package let failures = Counter()
    /// The number of failed commits whose changes may nevertheless be durable.
    package let unknownOutcomes = Counter()
    /// The number of changes that were rejected because they did not follow the stored record.
    package let refusals = Counter()
    private let waiting: @Sendable () -> (changes: Int, bytes: Int)

    /// Creates the metrics of a new journal.
    package init(waiting: @escaping @Sendable () -> (changes: Int, bytes: Int)) {
        self.waiting = waiting
    }

    /// The approximate size in bytes of the changes that wait for a commit.
    package var waitingBytes: Int { waiting().bytes }

    package func record(_ statistics: BatchStatistics, nanoseconds: Int) {
        times.record(nanoseconds)
        changes.record(statistics.changes)
        bytes.record(statistics.bytes)
    }

    package func write(into writer: inout MetricsWriter) {
        writer.histogram("usher_journal_commit_changes", "Changes per commit.", changes.distribution)
        writer.histogram("usher_journal_commit_bytes", "Bytes of inputs and answers per commit.", bytes.distribution)
        writer.histogram(
            "usher_journal_commit_duration_seconds", "Duration of commits to the journal.", times.distribution)
        writer.counter("usher_journal_commit_failures_total", "Commits to the journal that failed.", failures.value)
        writer.counter(
            "usher_journal_outcomes_unknown_total", "Failed commits whose outcome is unknown.", unknownOutcomes.value)
        writer.counter(
            "usher_journal_changes_refused_total",
            "Changes that the journal rejected because it already had other changes for the same revisions.",
            refusals.value)
        writer.gauge("usher_journal_changes_waiting", "Changes waiting for a commit.", waiting().changes)
    }
}

/// The statistics of a group of changes.
package struct BatchStatistics: Equatable, Sendable {
    package private(set) var changes = 0
    /// The bytes of entries and responses in the changes.
    package private(set) var bytes = 0
    /// The increase in the number of sessions that have not ended.
    package private(set) var growth = 0

    package init() {}

    /// Counts an accepted change.
    package mutating func add(_ change: JournalChange) {
        changes += 1
        bytes += change.contentSize
        switch change.action {
        case .create: growth += 1
        case .end: growth -= 1
        case .append, .extend, .startOver, .keep, .grant, .complete, .erase, .touch: break
        }
    }
}
