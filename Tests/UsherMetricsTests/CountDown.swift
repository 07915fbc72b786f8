import Synchronization

/// Says when as many have arrived as were to come.
final class CountDown: Sendable {
    private let left: Atomic<Int>
    private let end: @Sendable () -> Void

    init(_ count: Int, end: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.end = end
    }

    func arrive() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { end() }
    }
}
