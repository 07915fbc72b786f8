import SampleAccounts
import SampleBackend
import Sooda
import Testing
import Usher
import UsherTesting

/// Tests of the samples' rows that sign in to `sooda`, with any accounts.
@Suite("sooda: signing in", .timeLimit(.minutes(5)))
struct SoodaSignInTests {
    private static let selectAuth = "n[onboarding] ⊕ sheet[selectAuth]"
    private static let emailLogin = "\(selectAuth) ⊕ sheet[emailLogin]"
    private static let loginTree = "App→[Login→[SelectAuth]]"
    private static let tabs = "tab(home){home[homeDefault], dm[dmList], search[search], setting[setting]}"
    private static let tabsTree = "App→[TabBar→[HomeDefault, DM, Search, Setting]]"

    @Test(arguments: Accounts.allCases)
    func `Z-08: Kim logs in and sees his workspace`(accounts: Accounts) async throws {
        try await accounts.run { services, settle in
            let app = try openEmailLogin(services)
            app.logIn("kim", "usher")
            app.expectPending("signIn")
            app.expectStack(Self.emailLogin)
            await settle(app)
            expectTabs(app)
        }
    }

    @Test(arguments: Accounts.allCases)
    func `Z-09: Lee logs in and sees that he has no workspace`(accounts: Accounts) async throws {
        try await accounts.run { services, settle in
            let app = try openEmailLogin(services)
            app.logIn("lee", "usher")
            await settle(app)
            app.expectStack("n[homeEmpty]")
            app.expectTree("App→[HomeEmpty]")
        }
    }

    @Test(arguments: Accounts.allCases)
    func `Z-10: a social login leads to the same screens`(accounts: Accounts) async throws {
        try await accounts.run { services, settle in
            let app = try openSelectAuth(services)
            app.send("socialLogin", ["token": "?"])
            app.expectPending("socialSignIn")
            await settle(app)
            app.expectStack(Self.selectAuth)
            app.expectState(#"{"failure":"no user has this token"}"#)
            app.send("socialLogin", ["token": "kim"])
            await settle(app)
            expectTabs(app)
        }
    }

    @Test(arguments: Accounts.allCases)
    func `Z-31s: a link that arrives during the sign-in is opened after the user has signed in`(accounts: Accounts)
        async throws
    {
        try await accounts.run { services, settle in
            let app = try openEmailLogin(services)
            app.input(#"{"open":["tabBar",{"homeDefault":{"workspaceID":7}},{"channel":{"id":3,"name":"dev"}}]}"#)
            app.logIn("kim", "usher")
            app.expectPending("signIn", "open")
            await settle(app)
            app.expectPending()
            app.expectStack("tab(home){home[homeDefault, channelChat], dm[dmList], search[search], setting[setting]}")
            app.expectTree(Self.tabsTree)
        }
    }

    @Test(arguments: Trouble.allCases)
    func `a backend's failure is shown on the screen, and the user can try again`(trouble: Trouble) async throws {
        try await trouble.run { backend in
            let app = try openSelectAuth(backend.services)
            app.send("socialLogin", ["token": "kim"])
            await app.settle()
            app.expectStack(Self.selectAuth)
            app.expectState(#"{"failure":"\#(Trouble.message)"}"#)
            app.send("presentEmailLogin")
            app.logIn("kim", "usher")
            await app.settle()
            app.expectStack(Self.emailLogin)
            app.expectTree(Self.loginTree)
            app.expectState(#"{"failure":"\#(Trouble.message)"}"#)
            // A backend that is gone does not come back.
            guard trouble == .failing else { return }
            backend.behave(.fast)
            app.logIn("kim", "usher")
            await app.settle()
            expectTabs(app)
        }
    }

    @Test func `dismissing the sheet cancels its pending sign-in`() async throws {
        try await Backend.run { backend in
            let app = try openEmailLogin(backend.services)
            app.logIn("kim", "usher")
            app.dismissed()
            app.expectPending()
            app.expectStack(Self.selectAuth)
            await app.settle()
            #expect(backend.keys.isEmpty)
        }
    }

    private func openSelectAuth(_ services: AccountServices) throws -> AppUnderTest {
        let app = try AppUnderTest(SoodaApp.self, services: services)
        app.send("done")
        app.send("presentSelectAuth")
        return app
    }

    private func openEmailLogin(_ services: AccountServices) throws -> AppUnderTest {
        let app = try openSelectAuth(services)
        app.send("presentEmailLogin")
        return app
    }

    private func expectTabs(_ app: AppUnderTest) {
        app.expectStack(Self.tabs)
        app.expectTree(Self.tabsTree)
        app.expectPending()
        app.expectState(#"{"workspaceID":7}"#)
    }
}

extension AppUnderTest {
    fileprivate func logIn(_ name: String, _ password: String) {
        send("logIn", ["name": name, "password": password])
    }
}
