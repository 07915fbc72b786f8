import UsherJournal

/// The number of bytes that ended sessions have left in a database.
///
/// Sessions that end or are deleted in this run are counted immediately. Sessions that ended in earlier runs are
/// counted gradually while the journal is idle, because reading all of these sessions at the start would take too long.
struct ResidueLedger {
    /// A place in the count of ended sessions, which is in the order of the sessions' ends, and then of their keys.
    struct EndPlace {
        let time: Int64
        let session: JournalKey
    }

    private enum Phase {
        case counting(after: EndPlace?)
        case done
    }

    private(set) var bytes = 0
    private var phase = Phase.counting(after: nil)
    /// The increase of `bytes` in the current transaction.
    private var growth = 0
    /// The sessions that have ended in this run; empty after all sessions of earlier runs are counted.
    private var ended: Set<JournalKey> = []

    var isCounting: Bool { if case .counting = phase { true } else { false } }

    /// The place after which the count continues; nil before the count has begun.
    var place: EndPlace? { if case .counting(let place) = phase { place } else { nil } }

    mutating func noteEnd(of key: JournalKey, leaving size: Int) {
        growth += size
        if isCounting { ended.insert(key) }
    }

    mutating func noteGone(_ end: EndPlace, of size: Int) {
        // The count will not include a session that is deleted before the count reaches it.
        if !isCounting || ended.remove(end.session) != nil || hasCounted(end) { growth -= size }
    }

    private func hasCounted(_ end: EndPlace) -> Bool {
        place.map { (end.time, end.session) <= ($0.time, $0.session) } ?? false
    }

    mutating func commit() {
        bytes = max(0, bytes + growth)
        growth = 0
    }

    mutating func rollBack() {
        growth = 0
    }

    /// Counts the next ended sessions of earlier runs, with sizes in bytes, in order; an empty list ends the count.
    mutating func count(_ found: [(place: EndPlace, size: Int)]) {
        for (place, size) in found where !ended.contains(place.session) { bytes += size }
        if let last = found.last {
            phase = .counting(after: last.place)
        } else {
            phase = .done
            ended = []
        }
    }
}
