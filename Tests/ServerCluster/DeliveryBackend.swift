private import Glibc
package import MicroHTTPD
private import Synchronization
private import UsherHTTP

/// The backend of the effects of `LedgerApp`: it notes under which ids it was asked for which numbers.
package final class DeliveryBackend: Sendable {
    private let daemon: Daemon
    private let deliveries: Deliveries

    /// Starts it on a free port.
    ///
    /// - Parameter pause: The time that it takes for each answer.
    package init(pausing pause: Duration = .zero) throws(DaemonError) {
        var configuration = DaemonConfiguration()
        configuration.threads = pause > .zero ? 16 : 2
        configuration.deadlines.linger = .zero
        configuration.deadlines.grace = .zero
        let deliveries = Deliveries()
        self.deliveries = deliveries
        daemon = try Daemon(configuration) { request in
            deliveries.note(request)
            if pause > .zero { usleep(UInt32(clamping: Int64(pause / .microseconds(1)))) }
            return .text("done")
        }
    }

    /// The value for `USHER_TEST_BACKEND`.
    package var port: Int { daemon.port }

    /// The ids under which each number came, in the order in which they came.
    package var ids: [Int: [String]] { deliveries.ids.withLock(\.self) }

    /// Is gone: what comes from now on finds nobody.
    package func stop() async { await daemon.stop() }
}

/// The requests so far.
private final class Deliveries: Sendable {
    let ids = Mutex<[Int: [String]]>([:])

    func note(_ request: Request) {
        guard let number = Int(String(decoding: request.body, as: UTF8.self)) else { return }
        ids.withLock { $0[number, default: []].append(request.headers["Idempotency-Key"] ?? "") }
    }
}
