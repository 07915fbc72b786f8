import Foundation
import Testing
import Usher
import UsherTesting

@testable import AccountsServer

/// Tests signing in with a backend over HTTP, with the app in the test's process.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
    private let kim = User(id: 1, name: "Kim")

    @Test func `signing in with a password shows the user at home`() async throws {
        try await Backend.run { backend in
            let app = try openLogin(backend)
            app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
            app.expectPending("signIn")
            await app.settle()
            app.expectVisible(HomeScreen(user: kim))
            app.expectTree("Home")
            app.send("signOut")
            app.expectVisible(HomeScreen())
        }
    }

    @Test func `signing in with a token shows the user at home, and an unknown token is reported`() async throws {
        try await Backend.run { backend in
            let app = try openLogin(backend)
            app.send(.useToken(token: "?"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(LoginScreen(failure: "no user has this token"))
            app.send(.useToken(token: "kim"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(HomeScreen(user: kim))
        }
    }

    @Test func `a wrong password is reported, and the user can correct it`() async throws {
        try await Backend.run { backend in
            let app = try openLogin(backend)
            app.send(.logIn(name: "kim", password: "wrong"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(LoginScreen(failure: "the name or the password is wrong"))
            app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
            app.expectVisible(LoginScreen())
            await app.settle()
            app.expectVisible(HomeScreen(user: kim))
        }
    }

    @Test func `each attempt to sign in sends the typed text with a new idempotency key`() async throws {
        try await Backend.run { backend in
            let app = try openLogin(backend)
            app.send(.logIn(name: "a\"b\\", password: "ü\n"), on: LoginScreen.self)
            await app.settle()
            app.send(.useToken(token: "kim"), on: LoginScreen.self)
            await app.settle()
            #expect(backend.attempts.map(\.path) == ["/sign-in", "/sign-in"])
            #expect(backend.attempts.first.map { body($0) } == ["name": "a\"b\\", "password": "ü\n"])
            #expect(backend.attempts.last.map { body($0) } == ["token": "kim"])
            let keys = Set(backend.attempts.map(\.key))
            #expect(keys.count == 2)
            #expect(!keys.contains(""))
        }
    }

    @Test(arguments: [
        Backend.Behaviour.failing, .babbling, .redirecting, .padded(to: HTTPExchange.Limits().size + 1),
        .padded(to: 5_000_000),
    ])
    func `the login screen shows a backend's failure, and the user can try again`(
        trouble: Backend.Behaviour
    ) async throws {
        try await Backend.run { backend in
            backend.behave(trouble)
            let app = try openLogin(backend)
            app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(LoginScreen(failure: unavailable))
            // No request is sent to the redirect's target.
            #expect(backend.attempts.count == 1)
            backend.behave(.fast)
            app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(HomeScreen(user: kim))
        }
    }

    @Test func `an answer of the largest allowed size is accepted`() async throws {
        try await Backend.run { backend in
            backend.behave(.padded(to: HTTPExchange.Limits().size))
            let app = try openLogin(backend)
            app.send(.useToken(token: "kim"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(HomeScreen(user: kim))
        }
    }

    @Test func `if the backend is gone, the login screen reports the failure at each attempt`() async throws {
        try await Backend.run { backend in
            backend.stop()
            let app = try openLogin(backend)
            for _ in 0..<2 {
                app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
                await app.settle()
                app.expectVisible(LoginScreen(failure: unavailable))
            }
        }
    }

    @Test(arguments: [Backend.Behaviour.slow, .stalling])
    func `a request to a slow backend is cancelled, and the login screen reports the delay`(delay: Backend.Behaviour)
        async throws
    {
        try await Backend.run { backend in
            backend.behave(delay)
            let app = try openLogin(backend, HTTPExchange.Limits(deadline: .milliseconds(100)))
            app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
            await app.settle()
            app.expectVisible(LoginScreen(failure: "signing in takes too long at the moment; try again"))
            await backend.next(.abandoned)
        }
    }

    @Test func `cancelling the task of a sign-in cancels the sign-in's request`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            let accounts = try Accounts(backend: backend.url)
            let attempts = (0..<4).map { number in
                Task { try await accounts.signIn(with: .token("kim"), key: "\(number)") }
            }
            for _ in attempts { await backend.next(.held) }
            for attempt in attempts.dropLast() {
                attempt.cancel()
                await #expect(throws: CancellationError.self) { try await attempt.value }
                await backend.next(.abandoned)
            }
            backend.release()
            let last = try await attempts.last?.value
            #expect(last == kim)
        }
    }

    @Test func `a sign-in ends at once if its task is already cancelled`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            let accounts = try Accounts(backend: backend.url)
            for _ in 0..<50 {
                let attempt = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await accounts.signIn(with: .token("kim"), key: "k")
                }
                await #expect(throws: CancellationError.self) { try await attempt.value }
            }
        }
    }

    @Test func `a login screen that is closed before its request begins sends no request`() async throws {
        try await Backend.run { backend in
            let app = try openLogin(backend)
            app.send(.logIn(name: "kim", password: "usher"), on: LoginScreen.self)
            app.dismissed()
            app.expectPending()
            await app.settle()
            app.expectVisible(HomeScreen())
            #expect(backend.attempts.isEmpty)
        }
    }

    @Test(arguments: ["", "127.0.0.1:8081", "ftp://127.0.0.1", "file:///etc/hostname", "http://", "http:///path"])
    func `an address that is not an http or https URL is reported to the operator`(address: String) {
        let error = #expect(throws: BackendError.self) { try Accounts(backend: address) }
        #expect(error.map { "\($0)" }?.hasPrefix("ACCOUNTS_BACKEND takes the backend's URL") == true)
    }

    private let unavailable = "signing in is not possible at the moment; try again later"

    private func openLogin(
        _ backend: Backend, _ limits: HTTPExchange.Limits = HTTPExchange.Limits()
    ) throws -> AppUnderTest {
        let app = try AppUnderTest(AccountsApp.self, services: try Accounts(backend: backend.url, limits: limits))
        app.send("signIn")
        app.expectStack("n[home] ⊕ sheet[login]")
        return app
    }
}

/// Returns the body of a request, as the backend reads it.
private func body(_ attempt: Backend.Attempt) -> [String: String]? {
    try? JSONDecoder().decode([String: String].self, from: Data(attempt.body.utf8))
}
