private import Glibc
package import MicroHTTPD
private import Synchronization
private import UsherHTTP

/// The backend for the effects of `LedgerApp`, which records the effects' ids for each number.
package final class DeliveryBackend: Sendable {
    private let daemon: Daemon
    private let deliveries: Deliveries

    /// Starts a backend on a free port.
    ///
    /// - Parameter pause: The time before each response.
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

    /// The effects' ids for each number, in the order of their arrival.
    package var ids: [Int: [String]] { deliveries.ids.withLock(\.self) }

    /// Stops the backend, so that later requests fail.
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
