internal import Synchronization
internal import UsherJournal

/// How many sessions of a journal have not ended: known without asking the database.
final class Population: Sendable {
    private let number: Atomic<Int>

    init(_ count: Int) {
        number = Atomic(count)
    }

    var count: Int { number.load(ordering: .relaxed) }

    /// Counts changes that were kept.
    func note(_ changes: [Change]) {
        var growth = 0
        for change in changes where !change.tail.isBroken {
            switch change.action {
            case .create: growth += 1
            case .end: growth -= 1
            case .append, .keep, .complete, .erase, .touch: break
            }
        }
        if growth != 0 { number.add(growth, ordering: .relaxed) }
    }
}
