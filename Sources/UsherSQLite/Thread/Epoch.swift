internal import Synchronization

/// What tells one run of a relaxed journal from another, and from itself after it has lost what was acknowledged.
final class Epoch: Sendable {
    private let start: String
    private let losses = Atomic(0)

    /// Makes the epoch of a journal that was opened at a time: milliseconds since 1970.
    init(start: Int64) {
        self.start = String(start, radix: 36)
    }

    var text: String {
        let losses = losses.load(ordering: .acquiring)
        return losses == 0 ? start : "\(start)-\(losses)"
    }

    func change() {
        losses.add(1, ordering: .acquiringAndReleasing)
    }
}
