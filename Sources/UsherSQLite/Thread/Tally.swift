internal import UsherJournal

/// What the changes of a transaction come to.
struct Tally {
    /// How many were done.
    private(set) var changes = 0
    /// How many bytes of entries and answers they have brought.
    private(set) var bytes = 0
    /// By how much the number of sessions that have not ended has grown.
    private(set) var growth = 0

    mutating func add(_ change: JournalChange) {
        changes += 1
        switch change.action {
        case .create(_, let entries, let answer):
            bytes += entries.reduce(0) { $0 + $1.count } + (answer?.body.count ?? 0)
            growth += 1
        case .append(_, let entry, let answer): bytes += entry.count + (answer?.body.count ?? 0)
        case .keep(_, let answer), .complete(let answer): bytes += answer.body.count
        case .end(_, let answer):
            bytes += answer?.body.count ?? 0
            growth -= 1
        case .erase, .touch: break
        }
    }
}
