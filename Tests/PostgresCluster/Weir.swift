private import Foundation
private import Glibc
private import Synchronization

/// What all connections of a proxy pass: it holds them up, or cuts them.
final class Weir: Sendable {
    private let condition = NSCondition()
    private let isHolding = Atomic(false)
    private let pause = Atomic(UInt32(0))
    private let held = Atomic(0)
    private let clients = Mutex<Set<Int32>>([])

    /// The number of times that something was held up so far.
    var count: Int { held.load(ordering: .relaxed) }

    /// True while nothing passes.
    var isFrozen: Bool {
        get { isHolding.load(ordering: .acquiring) }
        set {
            condition.withLock {
                isHolding.store(newValue, ordering: .releasing)
                condition.broadcast()
            }
        }
    }

    /// Holds each request up from now on.
    func delay(by time: Duration) {
        pause.store(UInt32(clamping: Int64(time / .microseconds(1))), ordering: .relaxed)
    }

    /// Waits for as long as bytes are held up.
    func pass(isRequest: Bool) {
        let time = isRequest ? pause.load(ordering: .relaxed) : 0
        guard time > 0 || isFrozen else { return }
        held.add(1, ordering: .relaxed)
        if time > 0 { usleep(time) }
        condition.withLock { while isFrozen { condition.wait() } }
    }

    /// Notes a connection.
    func open(_ client: Int32) { clients.withLock { _ = $0.insert(client) } }

    /// Forgets a connection, which is about to be closed: its number may be another's then.
    func forget(_ client: Int32) { clients.withLock { _ = $0.remove(client) } }

    /// Ends all connections.
    func cutAll() { clients.withLock { for client in $0 { shutdown(client, Int32(SHUT_RDWR)) } } }
}
