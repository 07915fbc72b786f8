import Synchronization

/// Whether the server takes new work: from its first request until it drains.
package final class Readiness: Sendable {
    private let draining = Atomic(false)

    /// Makes a ready server's.
    package init() {}

    package var isReady: Bool { !draining.load(ordering: .relaxed) }

    /// Tells whoever spreads the load that this server is about to go.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
