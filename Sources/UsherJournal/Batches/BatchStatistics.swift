/// The size of a group of changes.
package struct BatchStatistics: Equatable, Sendable {
    /// How many changes it has.
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
        case .append, .keep, .complete, .erase, .touch: break
        }
    }
}

extension JournalChange {
    /// Bytes of the entries and answers that it brings.
    var contentSize: Int {
        switch action {
        case .create(_, let entries, let answer):
            entries.reduce(0) { $0 + $1.count } + (answer?.body.count ?? 0)
        case .append(_, let entry, let answer): entry.count + (answer?.body.count ?? 0)
        case .keep(_, let answer), .complete(let answer): answer.body.count
        case .end(_, let answer): answer?.body.count ?? 0
        case .erase, .touch: 0
        }
    }
}
