import SampleAccounts
import SampleBackend
import Testing
import Tudy
import Usher
import UsherTesting

/// Tests of the samples' rows that sign in to `tudy`, with any accounts.
@Suite("tudy: signing in", .timeLimit(.minutes(5)))
struct TudySignInTests {
    private static let base = "tab(home){home[home], chat[chatList]}"
    private static let login = "\(base) ⊕ fullScreen[login]"
    private static let tree = "App→[TabBar→[Home, Chat]]"
    private static let treeWithLogin = "App→[TabBar→[Home, Chat, Login]]"

    @Test(arguments: Accounts.allCases)
    func `T-15: a user who logs in sees the home screen`(accounts: Accounts) async throws {
        try await accounts.run { services, settle in
            let app = try open(services)
            app.logIn("usher")
            app.expectPending("signIn")
            app.expectStack(Self.login)
            app.expectTree(Self.treeWithLogin)
            await settle(app)
            expectKim(app)
        }
    }

    @Test(arguments: Accounts.allCases)
    func `T-15x: a wrong password is reported, and the user can correct it`(accounts: Accounts) async throws {
        try await accounts.run { services, settle in
            let app = try open(services)
            app.logIn("wrong")
            await settle(app)
            app.expectStack(Self.login)
            app.expectTree(Self.treeWithLogin)
            app.expectState(#"{"failure":"the name or the password is wrong"}"#)
            app.logIn("usher")
            app.expectState("{}")
            await settle(app)
            expectKim(app)
        }
    }

    @Test(arguments: Trouble.allCases)
    func `a backend's failure is shown on the login screen, and the user can try again`(trouble: Trouble) async throws {
        try await trouble.run { backend in
            let app = try open(backend.services)
            for _ in 0..<2 {
                app.logIn("usher")
                await app.settle()
                app.expectStack(Self.login)
                app.expectTree(Self.treeWithLogin)
                app.expectState(#"{"failure":"\#(Trouble.message)"}"#)
            }
            // A backend that is gone does not come back.
            guard trouble == .failing else { return }
            backend.behave(.fast)
            app.logIn("usher")
            await app.settle()
            expectKim(app)
        }
    }

    @Test func `each attempt to log in has its own idempotency key`() async throws {
        try await Backend.run { backend in
            let app = try open(backend.services)
            app.logIn("wrong")
            await app.settle()
            app.logIn("usher")
            await app.settle()
            #expect(backend.keys.count == 2)
            #expect(Set(backend.keys).count == 2)
            #expect(!backend.keys.contains(""))
        }
    }

    @Test func `closing the login screen cancels its pending attempt`() async throws {
        try await Backend.run { backend in
            let app = try open(backend.services)
            app.logIn("usher")
            app.send("close")
            app.expectPending()
            app.expectStack(Self.base)
            app.expectTree(Self.tree)
            await app.settle()
            #expect(backend.keys.isEmpty)
        }
    }

    @Test func `if two attempts to log in overlap, the first success logs the user in`() async throws {
        try await Backend.run { backend in
            let app = try open(backend.services)
            app.logIn("usher")
            app.logIn("usher")
            app.expectPending("signIn", "signIn")
            await app.settle()
            expectKim(app)
            #expect(backend.keys.count == 1)
        }
    }

    private func open(_ services: AccountServices) throws -> AppUnderTest {
        let app = try AppUnderTest(TudyApp.self, services: services)
        app.send("showLogin")
        return app
    }

    private func expectKim(_ app: AppUnderTest) {
        app.expectStack(Self.base)
        app.expectTree(Self.tree)
        app.expectPending()
        #expect(app.visible?.state.hasPrefix(#"{"user":{"id":1,"name":"Kim"},"#) == true)
    }
}

extension AppUnderTest {
    fileprivate func logIn(_ password: String) {
        send("login", ["name": "kim", "password": password])
    }
}
