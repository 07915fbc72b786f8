import UsherJournal

/// The bytes that ended sessions have left in a database.
///
/// Those that end and go in this run are counted as they do. Those of earlier runs are counted little by little, while there
/// is nothing else to do: to read all at the start would take too long.
struct ResidueLedger {
    /// The place up to which the ends of earlier runs are counted: time and session.
    struct EndPlace {
        let time: Int64
        let session: JournalKey
    }

    /// The state of the count of earlier runs' ends.
    private enum Phase {
        case counting(after: EndPlace?)
        case done
    }

    /// The bytes that are counted by now.
    private(set) var bytes = 0
    private var phase = Phase.counting(after: nil)
    /// The growth by the transaction that is under way.
    private var growth = 0
    /// Sessions that have ended in this run, as long as earlier ones are being counted.
    private var ended: Set<JournalKey> = []

    /// True while ends of earlier runs are not counted yet.
    var isCounting: Bool { if case .counting = phase { true } else { false } }

    /// The place after which the count goes on; nil at its beginning.
    var place: EndPlace? { if case .counting(let place) = phase { place } else { nil } }

    /// A session has ended in the transaction that is under way.
    mutating func noteEnd(of key: JournalKey, leaving size: Int) {
        growth += size
        if isCounting { ended.insert(key) }
    }

    /// A session that had ended has gone in the transaction that is under way.
    mutating func noteGone(_ end: EndPlace, of size: Int) {
        // One that the count has not come to is not counted any more.
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

    /// Sessions that had ended were looked at.
    ///
    /// - Parameters:
    ///   - found: Their bytes, in the order of their ends; none where there are no further ones.
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
