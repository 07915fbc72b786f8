internal import Synchronization

/// The number of requests under way, from their request line to the end of their response.
final class RequestCount: Sendable {
    private let value = Atomic(0)

    var isZero: Bool { value.load(ordering: .acquiring) == 0 }

    /// How many there were a moment ago.
    var count: Int { value.load(ordering: .relaxed) }

    func begin() { value.add(1, ordering: .relaxed) }

    func end() { value.subtract(1, ordering: .releasing) }
}
