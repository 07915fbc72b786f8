import Synchronization

/// How the secrets that one input brought are used, whoever has them, on whatever thread.
///
/// A count instead of weak references: it costs the same for any number of secrets.
final class SecretUse: Sendable {
    private let holders = Atomic(0)
    private let wasRead = Atomic(false)
    private let decoding = Atomic(false)

    /// Whether somebody holds one of them.
    var isHeld: Bool { holders.load(ordering: .acquiring) > 0 }

    /// Whether a handler has read one of them, and will again when it is replayed.
    var isRead: Bool { wasRead.load(ordering: .acquiring) }

    func hold() {
        holders.add(1, ordering: .relaxed)
    }

    func release() {
        holders.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Notes that one is read, where a coordinator's handler or the decoding of the input does it.
    func noteReading() {
        guard HandlerScope.isOn || decoding.load(ordering: .relaxed) else { return }
        wasRead.store(true, ordering: .releasing)
    }

    /// An author's own `init(from:)` reads without a handler around it.
    func setDecoding(_ isDecoding: Bool) {
        decoding.store(isDecoding, ordering: .relaxed)
    }
}
