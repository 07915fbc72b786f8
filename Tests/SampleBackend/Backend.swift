package import MicroHTTPD
package import SampleAccounts
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

    /// The port that it listens on: the value for `USHER_TEST_BACKEND`.
    package var port: Int { daemon.port }

    /// Services that ask it.
    package var services: AccountServices { AccountServices(accounts: BackendAccounts(port: port)) }

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

/// The handler of a backend: answers sign-ins as its behaviour has it, and records them.
private final class SignInDesk: Sendable {
    private struct State {
        var behaviour = Backend.Behaviour.fast
        var keys: [String] = []
        var bodies: [String] = []
    }

    let gate = Gate()
    private let state = Mutex(State())

    var keys: [String] { state.withLock { $0.keys } }
    var bodies: [String] { state.withLock { $0.bodies } }

    func behave(_ behaviour: Backend.Behaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    func answer(_ request: Request) async -> Response {
        guard request.path == "/sign-in" else { return .text("there is only /sign-in", status: .notFound) }
        guard request.method == .post else { return .text("sign in with POST", status: .methodNotAllowed) }
        let behaviour = state.withLock { state in
            state.keys.append(request.headers["Idempotency-Key"] ?? "")
            state.bodies.append(String(decoding: request.body, as: UTF8.self))
            return state.behaviour
        }
        switch behaviour {
        case .fast: break
        case .slow: await gate.pass()
        case .failing: return .text("out of order", status: Status(code: 500, reason: "Internal Server Error"))
        }
        return Self.signIn(request.body)
    }

    private static func signIn(_ body: [UInt8]) -> Response {
        guard let credentials = try? JSONDocument(parsing: body).root else {
            return .text("no JSON", status: .badRequest)
        }
        let isRight = credentials[member: "token"] != nil || credentials[member: "password"]?.string == "usher"
        let name = credentials[member: "token"]?.string ?? credentials[member: "name"]?.string
        guard isRight, let user = name.flatMap({ users[$0] }) else {
            return .json(Array(#"{"error":"unknown"}"#.utf8), status: .unauthorized)
        }
        return .json(Array(#"{"user":\#(user),"since":2020}"#.utf8))
    }

    private static let users = [
        "kim": #"{"id":1,"name":"Kim","workspaces":[7],"city":"Seoul"}"#, "lee": #"{"id":2,"name":"Lee"}"#,
    ]
}
