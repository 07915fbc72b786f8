import Synchronization

/// Counts what happens in several tasks.
final class Counter: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func increment() {
        number.add(1, ordering: .relaxed)
    }
}
