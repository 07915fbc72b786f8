package import MicroHTTPD
import Synchronization
import UsherHTTP
import UsherJSON

/// The backend of the samples that sign in, on a free port, as a test wants it.
///
/// Knows `kim` and `lee` by the password `usher`, and by their names as tokens.
package final class Backend: Sendable {
    /// How it answers.
    package enum Behaviour: Sendable {
        /// At once.
        case fast
        /// Not before the test lets it.
        case slow
        /// With 500.
        case failing
    }

    private let daemon: Daemon
    private let desk: SignInDesk

    /// Starts it; it is fast until told otherwise.
    package init() throws(DaemonError) {
        var configuration = DaemonConfiguration()
        configuration.threads = 2
        configuration.deadlines.linger = .zero
        configuration.deadlines.grace = .zero
        let desk = SignInDesk()
        self.desk = desk
        daemon = try Daemon(configuration) { request in await desk.answer(request) }
    }

    /// Where it is: the value for `USHER_SAMPLE_BACKEND`.
    package var url: String { "http://127.0.0.1:\(daemon.port)" }

    /// The idempotency keys of all sign-ins that were asked for so far, in order; their number is that of the requests.
    package var keys: [String] { desk.keys }

    /// The bodies of all sign-ins that were asked for so far, in order.
    package var bodies: [String] { desk.bodies }

    /// Makes it answer so from now on; what is held already stays so.
    package func behave(_ behaviour: Behaviour) { desk.behave(behaviour) }

    /// Waits until a slow backend holds so many requests.
    package func holds(_ count: Int) async { await desk.gate.waiting(count) }

    /// Lets go of all that a slow backend holds.
    package func release() { desk.gate.open() }

    /// Is gone: what comes from now on finds nobody.
    package func stop() async {
        behave(.fast)
        release()
        await daemon.stop()
    }
}

extension Backend {
    /// Runs a body with a backend of its own, and stops it.
    package static func run(_ body: (Backend) async throws -> Void) async throws {
        let backend = try Backend()
        do {
            try await body(backend)
        } catch {
            await backend.stop()
            throw error
        }
        await backend.stop()
    }
}
