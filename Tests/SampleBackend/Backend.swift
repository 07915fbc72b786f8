package import MicroHTTPD
package import SampleAccounts
import Synchronization
import UsherHTTP
import UsherJSON

/// A backend for the sign-ins of the samples, on a free port, whose behaviour a test sets.
///
/// It knows the users `kim` and `lee`, with the password `usher` or their names as tokens.
package final class Backend: Sendable {
    /// The ways in which the backend responds.
    package enum Behaviour: Sendable {
        /// Immediately.
        case fast
        /// When the test releases the requests.
        case slow
        /// With the status 500.
        case failing
    }

    private let daemon: Daemon
    private let desk: SignInDesk

    /// Starts a backend, which responds immediately at first.
    package init() throws(DaemonError) {
        var configuration = DaemonConfiguration()
        configuration.threads = 2
        configuration.deadlines.linger = .zero
        configuration.deadlines.grace = .zero
        let desk = SignInDesk()
        self.desk = desk
        daemon = try Daemon(configuration) { request in await desk.answer(request) }
    }

    /// The port that the backend listens on, which is the value for `USHER_TEST_BACKEND`.
    package var port: Int { daemon.port }

    /// Services that use the backend.
    package var services: AccountServices { AccountServices(accounts: BackendAccounts(port: port)) }

    /// The idempotency keys of all sign-ins so far, in order, one for each request.
    package var keys: [String] { desk.keys }

    /// The bodies of all sign-ins so far, in order.
    package var bodies: [String] { desk.bodies }

    /// Sets the behaviour for later requests; requests that wait already continue to wait.
    package func behave(_ behaviour: Behaviour) { desk.behave(behaviour) }

    /// Waits until a slow backend holds a number of requests.
    package func holds(_ count: Int) async { await desk.gate.waiting(count) }

    /// Releases all requests that a slow backend holds.
    package func release() { desk.gate.open() }

    /// Stops the backend, so that later requests fail.
    package func stop() async {
        behave(.fast)
        release()
        await daemon.stop()
    }
}

extension Backend {
    /// Runs a closure with a new backend, and stops the backend.
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

/// The handler of a backend, which responds to sign-ins by its behaviour, and records them.
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
