import Testing
import Usher
import UsherTesting

@testable import MatineeServer

@Suite
struct LoginTests {
    @Test func `an alert reports a wrong password`() async throws {
        let app = try AppUnderTest(MatineeApp.self)
        app.send(.logIn(name: "kim", password: "wrong"), on: LoginScreen.self)
        app.expectVisible(LoginScreen(isBusy: true))
        await app.settle()
        app.expectStack("n[login] ⊕ alert[alert]")
        app.tap("OK")
        app.expectVisible(LoginScreen(isBusy: false))
    }

    @Test func `a login leads to the tabs, and a logout leads back to the login screen`() async throws {
        let app = try await openTabs()
        app.select("Profile")
        app.expectVisible(ProfileScreen(user: User(name: "kim")))
        app.send("logOut")
        app.expectStack("\(tabs.replacing("(Films)", with: "(Profile)")) ⊕ alert[alert]")
        app.tap("Log out")
        app.expectStack("n[login]")
    }

    @Test func `a new user confirms the code from an email`() async throws {
        let app = try AppUnderTest(MatineeApp.self)
        app.send("signUp")
        app.send(.next(name: ""), on: NameScreen.self)
        app.expectVisible(NameScreen(hint: "Please enter a name"))
        app.send(.next(name: "park"), on: NameScreen.self)
        app.expectStack("n[login, name, code]")
        app.send(.confirm(code: "1"), on: CodeScreen.self)
        app.expectVisible(CodeScreen(name: "park", hint: "That is not the code of the mail"))
        app.send(.confirm(code: "1234"), on: CodeScreen.self)
        await app.settle()
        app.expectStack(tabs)
    }

    @Test func `going back from the sign-up leads to the login screen`() throws {
        let app = try AppUnderTest(MatineeApp.self)
        for _ in 0..<3 {
            app.send("signUp")
            app.send(.next(name: "park"), on: NameScreen.self)
            app.back()
            app.back()
            app.expectStack("n[login]")
        }
    }
}
