private import Glibc
internal import Synchronization

/// Reserved descriptors, with which connections can be answered when the process has no other descriptor left.
///
/// The connection limit is below the process's limit, but effects and the app's own files need descriptors, too.
final class SpareDescriptors: Sendable {
    private let spares = Mutex<[Int32]>([])
    private static let count = 4

    init() {
        refill()
    }

    deinit {
        for spare in spares.withLock({ $0 }) { close(spare) }
    }

    /// A Boolean value that indicates whether the process cannot open another descriptor.
    static var areNeeded: Bool {
        let probe = ListeningSocket.makeSilence()
        guard probe >= 0 else { return true }
        close(probe)
        return false
    }

    /// Frees one of the descriptors for a closure; returns the closure's result, or `false` if no descriptor is left.
    func lend(_ body: () -> Bool) -> Bool {
        guard let spare = spares.withLock({ $0.popLast() }) else { return false }
        close(spare)
        return body()
    }

    /// Opens descriptors until the reserve is full or the process has no more.
    func refill() {
        while spares.withLock({ $0.count }) < Self.count {
            let spare = ListeningSocket.makeSilence()
            guard spare >= 0 else { return }
            spares.withLock { $0.append(spare) }
        }
    }
}
