import UsherProcess

/// The times at which checkpoints run: when the write-ahead log has grown, or has residue that must leave it.
struct Checkpointer {
    /// The time by which residue must leave the log, by the `MonotonicClock`.
    private(set) var residueDue: Int64?
    private var hasResidue = false
    /// The pages at which a checkpoint runs, and at which it is tried next.
    private let pages: Int
    private var nextPages: Int
    private let residuePatience: Int64
    /// The time of another try, where there was no room for a checkpoint or for the log; by the `MonotonicClock`.
    private var retryDue: Int64?

    /// In nanoseconds, how long a log is left alone for which no checkpoint could run.
    private static let retryPatience: Int64 = 1_000_000_000

    init(pages: Int, residuePatience: Int64) {
        self.pages = pages
        nextPages = pages
        self.residuePatience = residuePatience
    }

    mutating func noteResidue() {
        hasResidue = true
    }

    /// Runs a checkpoint, where one is due.
    mutating func run(on database: Database) {
        if hasResidue, residueDue == nil { residueDue = MonotonicClock.now + residuePatience }
        if let due = residueDue, due <= MonotonicClock.now {
            let isEmptied = database.checkpoint(truncating: true)
            if isEmptied { hasResidue = false }
            residueDue = isEmptied ? nil : MonotonicClock.now + residuePatience
        } else if database.logPages >= nextPages {
            // A checkpoint that fails, for want of room, is not tried again with each commit.
            let isCopied = database.checkpoint(truncating: false)
            nextPages = isCopied ? pages : database.logPages + pages
            if !isCopied { retryDue = MonotonicClock.now + Self.retryPatience }
        }
    }

    /// Notes that a commit has failed, maybe for want of room.
    mutating func retrySoon() {
        retryDue = retryDue ?? MonotonicClock.now
    }

    /// Empties a log for which there was no room, before it takes more: else it would get all the room that comes.
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
