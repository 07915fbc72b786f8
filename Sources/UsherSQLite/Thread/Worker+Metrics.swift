internal import UsherJournal
internal import UsherMetrics
internal import UsherProcess

extension Worker {
    /// Counts a commit of changes, without those that were refused.
    ///
    /// - Parameter start: When it began, by the `MonotonicClock`.
    func count(_ changes: [Change], since start: Int64) {
        let kept = changes.lazy.filter { !$0.tail.isBroken }
        metrics.times.record(Int(MonotonicClock.now - start))
        metrics.changes.record(kept.count)
        metrics.bytes.record(kept.reduce(0) { $0 + $1.contentSize })
    }
}

extension Change {
    /// How many bytes of entries and answers it brings.
    fileprivate var contentSize: Int {
        switch action {
        case .create(_, let entries, let answer): entries.reduce(0) { $0 + $1.count } + (answer?.body.count ?? 0)
        case .append(_, let entry, let answer): entry.count + (answer?.body.count ?? 0)
        case .keep(_, let answer), .complete(let answer): answer.body.count
        case .end(_, let answer): answer?.body.count ?? 0
        case .erase, .touch: 0
        }
    }
}
