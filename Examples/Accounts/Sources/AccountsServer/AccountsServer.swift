import Foundation
import Usher
import UsherServer

/// A server whose users sign in with a backend, over HTTP.
///
/// Run it with `ACCOUNTS_BACKEND=http://127.0.0.1:8081 swift run AccountsServer serve`.
@main
enum AccountsServer: ServerProgram {
    static var apps: [any App.Type] { [AccountsApp.self] }
}

/// The app that `POST /sessions` with `{"app":"accounts"}` opens.
enum AccountsApp: App {
    static var screens: [any Screen.Type] { [HomeScreen.self, LoginScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { HomeCoordinator() }

    /// Creates the client of the backend in the environment, which the app's effects find in their context.
    static func services() throws -> Accounts {
        try Accounts(backend: ProcessInfo.processInfo.environment["ACCOUNTS_BACKEND"] ?? "")
    }
}

/// The user who is signed in, or a button to sign in.
struct HomeScreen: Screen {
    var user: User?

    enum Event: Codable, CaseIterable { case signIn, signOut }
}

/// A form for a name and a password, and a button to sign in with another service's token.
struct LoginScreen: Screen {
    /// The failure of the last attempt, for the user.
    var failure: String?

    enum Event: Codable { case logIn(name: String, password: Secret<String>), useToken(token: Secret<String>), close }

    static let examples: [Event] = [.logIn(name: "kim", password: "usher"), .useToken(token: "kim"), .close]
}

/// Shows the user who is signed in, and presents the login as a sheet.
final class HomeCoordinator: Coordinator<Never> {
    private var home: Handle<HomeScreen>?

    override func start() {
        home = push(HomeScreen()) { me, event in
            switch event {
            case .signIn: me.signIn()
            case .signOut: me.home?.update { $0.user = nil }
            }
        }
    }

    private func signIn() {
        present(LoginCoordinator(), as: .sheet) { me, outcome in
            // If the user closes the sheet, the outcome is `.cancelled`.
            if case .finished(let user) = outcome { me.home?.update { $0.user = user } }
        }
    }
}

/// Signs a user in, and finishes with the user.
final class LoginCoordinator: Coordinator<User> {
    private var login: Handle<LoginScreen>?

    override func start() {
        login = push(LoginScreen()) { me, event in
            switch event {
            case .logIn(let name, let password): me.signIn(with: .password(name: name, password: password))
            case .useToken(let token): me.signIn(with: .token(token))
            case .close: me.cancel()
            }
        }
    }

    private func signIn(with credentials: Credentials) {
        login?.update { $0.failure = nil }
        // If the user closes the sheet, the effect and its request are cancelled.
        perform(SignIn(credentials: credentials)) { me, result in
            switch result {
            case .success(let user): me.finish(user)
            case .failure(let failure): me.login?.update { $0.failure = failure.message }
            }
        }
    }
}

/// Asks the backend for the user with some credentials.
struct SignIn: Effect {
    let credentials: Credentials

    func run(_ context: EffectContext<Accounts>) async throws -> User {
        // The effect's id stays the same when it runs again after a crash.
        try await context.services.signIn(with: credentials, key: context.id)
    }
}
