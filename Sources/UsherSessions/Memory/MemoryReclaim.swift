import Synchronization

/// Sees to it that freed memory goes back to the system: not after each session or watcher, for that costs, but after
/// many.
final class MemoryReclaim: Sendable {
    private let departures = Atomic(0)
    private let reclaim: @Sendable () -> Void

    /// After so many, memory is given back; after fewer, when none is left.
    private static let many = 8_192
    private static let few = 512

    init(_ reclaim: @escaping @Sendable () -> Void) {
        self.reclaim = reclaim
    }

    /// Notes that a session or a watcher has left memory.
    ///
    /// - Parameter left: The number of its kind that are still there.
    func note(left: () -> Int) {
        let count = departures.add(1, ordering: .relaxed).newValue
        if count >= Self.many || count >= Self.few && left() == 0 { settle() }
    }

    /// Gives memory back now, on the calling thread.
    func run() {
        departures.store(0, ordering: .relaxed)
        reclaim()
    }

    /// Gives memory back if more than a few have left since the last time.
    func settle() {
        guard departures.load(ordering: .relaxed) >= Self.few else { return }
        // Whoever sets it back is the one that reclaims.
        guard departures.exchange(0, ordering: .relaxed) >= Self.few else { return }
        reclaim()
    }
}
