import Synchronization

/// A count that tests wait for.
final class Watch: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add() { count.add(1, ordering: .acquiringAndReleasing) }

    /// Waits until so many were counted; for a test that runs out of time, no longer.
    func reaches(_ number: Int) async {
        while value < number, !Task.isCancelled { await Task.yield() }
    }
}
