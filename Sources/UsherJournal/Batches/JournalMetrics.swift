package import UsherMetrics

/// The counters of a journal that commits to a disk.
package final class JournalMetrics: Sendable {
    /// Changes of one group commit.
    package let changes = Histogram(bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000])
    /// Bytes of entries and answers of one group commit.
    package let bytes = Histogram(bounds: (8...24).map { 1 << $0 })
    /// Durations of group commits, in nanoseconds.
    package let times = Histogram.times()
    /// Commits that failed, with all their changes.
    package let failures = Counter()
    /// Those of them of which nobody can tell whether they have happened.
    package let unknownOutcomes = Counter()
    /// Changes that were refused because they do not follow on what is stored.
    package let refusals = Counter()
    private let waiting: @Sendable () -> (changes: Int, bytes: Int)

    /// Makes the metrics of a journal that has done nothing yet.
    ///
    /// - Parameter waiting: The changes that wait for a commit now, and about the bytes that they take.
    package init(waiting: @escaping @Sendable () -> (changes: Int, bytes: Int)) {
        self.waiting = waiting
    }

    /// About the bytes of the changes that wait for a commit now.
    package var waitingBytes: Int { waiting().bytes }

    /// Counts a group commit.
    ///
    /// - Parameters:
    ///   - statistics: Its changes.
    ///   - nanoseconds: Its duration.
    package func record(_ statistics: BatchStatistics, nanoseconds: Int) {
        times.record(nanoseconds)
        changes.record(statistics.changes)
        bytes.record(statistics.bytes)
    }

    /// Writes all of them.
    package func write(into writer: inout MetricsWriter) {
        writer.begin("usher_journal_commit_changes", .histogram, "Changes that were kept in one commit.")
        writer.samples(changes.distribution)
        writer.begin(
            "usher_journal_commit_bytes", .histogram, "Bytes of inputs and answers that were kept in one commit.")
        writer.samples(bytes.distribution)
        writer.begin("usher_journal_commit_duration_seconds", .histogram, "How long commits to the journal took.")
        writer.samples(times.distribution)
        writer.begin(
            "usher_journal_commit_failures_total", .counter,
            "Commits to the journal that failed, with all their changes.")
        writer.sample(failures.value)
        writer.begin(
            "usher_journal_outcomes_unknown_total", .counter,
            "Failed commits of which nobody can tell whether they have happened.")
        writer.sample(unknownOutcomes.value)
        writer.begin(
            "usher_journal_changes_refused_total", .counter,
            "Changes that the journal refused because they do not follow on what it keeps.")
        writer.sample(refusals.value)
        writer.begin("usher_journal_changes_waiting", .gauge, "Changes that wait for a commit.")
        writer.sample(waiting().changes)
    }
}

/// The statistics of a group of changes.
package struct BatchStatistics: Equatable, Sendable {
    /// The number of changes.
    package private(set) var changes = 0
    /// Bytes of the entries and answers that they bring.
    package private(set) var bytes = 0
    /// By how much the number of sessions that have not ended grows.
    package private(set) var growth = 0

    /// Makes the statistics of an empty group.
    package init() {}

    /// Counts a change.
    ///
    /// - Parameter change: One that was accepted.
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
