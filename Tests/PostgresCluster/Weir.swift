private import Foundation
private import Glibc
private import Synchronization

/// Delays or cuts all connections of a proxy.
final class Weir: Sendable {
    private let condition = NSCondition()
    private let isHolding = Atomic(false)
    private let pause = Atomic(UInt32(0))
    private let held = Atomic(0)
    private let clients = Mutex<Set<Int32>>([])

    /// The number of delays so far.
    var count: Int { held.load(ordering: .relaxed) }

    /// A Boolean value that indicates whether nothing is forwarded.
    var isFrozen: Bool {
        get { isHolding.load(ordering: .acquiring) }
        set {
            condition.withLock {
                isHolding.store(newValue, ordering: .releasing)
                condition.broadcast()
            }
        }
    }

    /// Delays each request from now on.
    func delay(by time: Duration) {
        pause.store(UInt32(clamping: Int64(time / .microseconds(1))), ordering: .relaxed)
    }

    /// Waits until bytes may be forwarded.
    func pass(isRequest: Bool) {
        let time = isRequest ? pause.load(ordering: .relaxed) : 0
        guard time > 0 || isFrozen else { return }
        held.add(1, ordering: .relaxed)
        if time > 0 { usleep(time) }
        condition.withLock { while isFrozen { condition.wait() } }
    }

    /// Adds a connection.
    func open(_ client: Int32) { clients.withLock { _ = $0.insert(client) } }

    /// Removes a connection before it is closed, because another connection may get its number then.
    func forget(_ client: Int32) { clients.withLock { _ = $0.remove(client) } }

    /// Cuts all connections.
    func cutAll() { clients.withLock { for client in $0 { shutdown(client, Int32(SHUT_RDWR)) } } }
}
