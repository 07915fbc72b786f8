import UsherProcess

/// Runs checkpoints when the write-ahead log has grown, or when the log contains residue: deleted data that must also
/// leave the log.
struct Checkpointer {
    /// The time by which residue must leave the log, by the `MonotonicClock`.
    private(set) var residueDue: Int64?
    private var hasResidue = false
    /// The log's size in pages that triggers a checkpoint, and the size that triggers the next attempt.
    private let pages: Int
    private var nextPages: Int
    private let residuePatience: Int64
    /// The time of the next attempt after a failed checkpoint or commit, by the `MonotonicClock`.
    private var retryDue: Int64?

    /// The pause after a failed checkpoint in nanoseconds.
    private static let retryPatience: Int64 = 1_000_000_000

    init(pages: Int, residuePatience: Int64) {
        self.pages = pages
        nextPages = pages
        self.residuePatience = residuePatience
    }

    mutating func noteResidue() {
        hasResidue = true
    }

    mutating func run(on database: Database) {
        if hasResidue, residueDue == nil { residueDue = MonotonicClock.now + residuePatience }
        if let due = residueDue, due <= MonotonicClock.now {
            let isEmptied = database.checkpoint(truncating: true)
            if isEmptied { hasResidue = false }
            residueDue = isEmptied ? nil : MonotonicClock.now + residuePatience
        } else if database.logPages >= nextPages {
            // If the checkpoint fails, for example because the disk is full, the next commits do not repeat it.
            let isCopied = database.checkpoint(truncating: false)
            nextPages = isCopied ? pages : database.logPages + pages
            if !isCopied { retryDue = MonotonicClock.now + Self.retryPatience }
        }
    }

    /// Schedules a checkpoint after a failed commit, because the disk may be full.
    mutating func retrySoon() {
        retryDue = retryDue ?? MonotonicClock.now
    }

    /// If a retry is due, empties the log; otherwise, the log would grow again and use all space that becomes free.
    mutating func retry(on database: Database) {
        guard let due = retryDue, due <= MonotonicClock.now else { return }
        guard database.checkpoint(truncating: true) else {
            retryDue = MonotonicClock.now + Self.retryPatience / 10
            return
        }
        retryDue = nil
        nextPages = pages
        hasResidue = false
    }
}
