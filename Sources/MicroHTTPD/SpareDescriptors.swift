private import Glibc
internal import Synchronization

/// Descriptors that are held for nothing, so that somebody can be answered when the process has no other left.
///
/// Connections are capped below the process's limit, but effects and an app's own files count to it too.
final class SpareDescriptors: Sendable {
    private let spares = Mutex<[Int32]>([])
    private static let count = 4

    init() {
        refill()
    }

    deinit {
        for spare in spares.withLock({ $0 }) { close(spare) }
    }

    /// True while the process may open nothing more.
    static var areNeeded: Bool {
        let probe = ListeningSocket.makeSilence()
        guard probe >= 0 else { return true }
        close(probe)
        return false
    }

    /// Does something that takes a descriptor, with one of these.
    ///
    /// - Returns: What the body says; false where there is none left.
    func lend(_ body: () -> Bool) -> Bool {
        guard let spare = spares.withLock({ $0.popLast() }) else { return false }
        close(spare)
        return body()
    }

    /// Takes as many again as the process may have.
    func refill() {
        while spares.withLock({ $0.count }) < Self.count {
            let spare = ListeningSocket.makeSilence()
            guard spare >= 0 else { return }
            spares.withLock { $0.append(spare) }
        }
    }
}
