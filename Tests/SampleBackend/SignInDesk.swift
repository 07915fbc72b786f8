import Synchronization
import UsherHTTP
import UsherJSON

/// Answers sign-ins, and remembers them.
final class SignInDesk: Sendable {
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
