internal import Synchronization

/// How many sessions of a journal have not ended: known without asking the database.
final class Population: Sendable {
    private let number: Atomic<Int>

    init(_ count: Int) {
        number = Atomic(count)
    }

    var count: Int { number.load(ordering: .relaxed) }

    func grow(by growth: Int) {
        if growth != 0 { number.add(growth, ordering: .relaxed) }
    }
}
