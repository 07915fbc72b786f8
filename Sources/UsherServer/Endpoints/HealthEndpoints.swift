import Synchronization
import UsherHTTP
package import UsherJournal

/// `GET /healthz`: the process answers.
///
/// `GET /readyz`: it also takes new work.
struct HealthEndpoints {
    let readiness: Readiness

    func add(to router: inout Router) {
        router.on(.get, "/healthz") { _, _ in .text("ok\n") }
        router.on(.get, "/readyz") { [readiness] _, _ in try Self.readiness(readiness) }
    }

    /// Answers while no thread is free for anything else, and waits for nothing.
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
        // All work goes by the journal's clock, which may be the wrong one: that is no reason to stop all servers.
        return .text(readiness.clockWarning.map { "ready, but \($0)\n" } ?? "ready\n")
    }

    private static let busy = Problem(
        .serviceUnavailable, "the server has no thread or connection left for this, so nothing was done; try again",
        headers: ["Retry-After": "1"])
}

/// The readiness of the server for new work: from its first request until it drains, while its journal answers.
package final class Readiness: Sendable {
    private let draining = Atomic(false)
    private let peers: (any JournalPeers)?

    /// Makes a ready server's.
    ///
    /// - Parameter journal: A journal that other servers share, and that may be out of reach; nil for none.
    package init(of journal: (any Journal)? = nil) {
        peers = journal?.peers
    }

    /// False while a journal that others share has not answered for some seconds.
    var isJournalReachable: Bool { peers?.isReachable ?? true }

    /// The sentence for the operator while another server runs under this one's name.
    var displacement: String? { peers?.displacement }

    /// The sentence for the operator while this server's clock is wrong.
    var clockWarning: String? {
        guard let peers, peers.isClockWrong else { return nil }
        let seconds = (Double(peers.clockError) / 1_000).rounded()
        let direction = seconds < 0 ? "behind" : "ahead of"
        return """
            this server's clock is \(Int(seconds.magnitude)) s \(direction) the database's; correct it, because this server \
            expires nothing until then
            """
    }

    package var isReady: Bool { !draining.load(ordering: .relaxed) }

    /// Tells whoever spreads the load that this server is about to go.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
