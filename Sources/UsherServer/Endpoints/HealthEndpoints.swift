import Synchronization
import UsherHTTP
package import UsherJournal

/// `GET /healthz` succeeds if the process responds; `GET /readyz` succeeds if the server accepts new work.
struct HealthEndpoints {
    let readiness: Readiness

    func add(to router: inout Router) {
        router.on(.get, "/healthz") { _, _ in .text("ok\n") }
        router.on(.get, "/readyz") { [readiness] _, _ in try Self.readiness(readiness) }
    }

    /// Answers a health check without a handler's thread or a wait, while all threads or connections are in use.
    func standby(_ request: Request) -> Response {
        do throws(Problem) {
            switch (request.method, request.path) {
            case (.get, "/healthz"), (.head, "/healthz"): return .text("ok\n")
            case (.get, "/readyz"), (.head, "/readyz"): return try Self.readiness(readiness)
            default: throw Self.busy
            }
        } catch {
            return error.response
        }
    }

    private static func readiness(_ readiness: Readiness) throws(Problem) -> Response {
        guard readiness.isReady else {
            throw Problem(.serviceUnavailable, "the server is shutting down", headers: ["Retry-After": "5"])
        }
        guard readiness.isJournalReachable else {
            throw Problem(
                .journalUnavailable, readiness.displacement ?? "the journal does not answer this server",
                headers: ["Retry-After": "1"])
        }
        // A wrong clock causes only a warning: if it is the journal's clock, a failure here would stop all servers.
        return .text(readiness.clockWarning.map { "ready, but \($0)\n" } ?? "ready\n")
    }

    private static let busy = Problem(
        .serviceUnavailable, "the server has no thread or connection left, so the request had no effect; try again",
        headers: ["Retry-After": "1"])
}

/// The readiness of the server for new work: it is ready while its journal responds, until it drains.
package final class Readiness: Sendable {
    private let draining = Atomic(false)
    private let peers: (any JournalPeers)?

    /// Creates the readiness of a server that is not draining; pass nil for a journal that is not shared.
    package init(of journal: (any Journal)? = nil) {
        peers = journal?.peers
    }

    /// A Boolean value that is `false` if a shared journal has not responded for some seconds.
    var isJournalReachable: Bool { peers?.isReachable ?? true }

    /// A sentence for the operator if another server runs under this server's name; otherwise nil.
    var displacement: String? { peers?.displacement }

    /// A sentence for the operator if this server's clock is wrong; otherwise nil.
    var clockWarning: String? {
        guard let peers, peers.isClockWrong else { return nil }
        let seconds = (Double(peers.clockError) / 1_000).rounded()
        let direction = seconds < 0 ? "behind" : "ahead of"
        return """
            this server's clock is \(Int(seconds.magnitude)) s \(direction) the database's; correct this server's \
            clock, because the server expires no session while the clock is wrong
            """
    }

    package var isReady: Bool { !draining.load(ordering: .relaxed) }

    /// Fails `/readyz`, so that load balancers stop sending requests before the server exits.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
