import Testing
import UIKit
import Usher
import UsherTesting

@testable import TudyArticle

/// Tests of the T rows of `scenarios.md` about the login and the chats, with the article's own coordinators.
@Suite("tudy in UIKit: login and chat")
struct TudyLoginArticleRows {
    private static let personalChat = "tab(chat){home[home], chat[chatList, personalChat]}"
    private static let groupChat = "tab(chat){home[home], chat[chatList, groupChat]}"
    private static let chatOverDetail = "tab(chat){home[home, projectDetail], chat[chatList, personalChat]}"

    @Test("T-11, T-13, T-27 in UIKit: the login is presented and closed, and cannot be closed again")
    func login() throws {
        try TudyWalks.login { walk in
            walk.expect(TudyWalks.login, TudyWalks.treeWithLogin)
            walk.app.send(.close, on: LoginScreen.self)
            walk.expectStart()
            walk.expectUnchanged(.stale, naming: "gone") { $0.app.send("close", from: 3) }
        }
    }

    @Test("T-14 in UIKit: the sign-up can be completed")
    func signUp() throws {
        try TudyWalks.login { walk in
            walk.app.send(.showSignUp, on: LoginScreen.self)
            walk.app.send(.next(name: "Park"), on: SetNameScreen.self)
            walk.app.send(.next(job: "iOS"), on: SetInterestedJobScreen.self)
            walk.app.send(.next(station: "Jamsil"), on: SetSubwayScreen.self)
            let steps = "login, setName, setInterestedJob, setSubway, welcome"
            walk.expect(TudyWalks.start + " ⊕ fullScreen[\(steps)]", TudyWalks.treeWithLogin)
            walk.app.expectVisible(WelcomeScreen(name: "Park", job: "iOS", station: "Jamsil"))
            walk.app.send(.done, on: WelcomeScreen.self)
            walk.expectStart()
            walk.app.expectVisible(
                HomeScreen(user: User(id: 3, name: "Park"), projects: [.studyGroup, .walkingApp]))
        }
    }

    @Test("T-15, T-15x in UIKit: a wrong password is reported, and the user can correct it")
    func password() throws {
        try TudyWalks.login { walk in
            walk.logIn("kim", password: "wrong")
            walk.expect(TudyWalks.login, TudyWalks.treeWithLogin)
            walk.app.expectVisible(LoginScreen(failure: "the name or the password is wrong"))
            walk.logIn("kim")
            walk.expectStart()
            walk.app.expectVisible(HomeScreen(user: .kim, projects: [.studyGroup, .walkingApp]))
        }
    }

    @Test("T-18 in UIKit: a project leads to the chat with its writer, and to the same chat again")
    func showPersonalChat() throws {
        try TudyWalks.detail(of: .walkingApp, loggedIn: true) { walk in
            walk.app.send(.showPersonalChat, on: ProjectDetailScreen.self)
            walk.expect(Self.chatOverDetail, TudyWalks.tree)
            walk.app.expectVisible(PersonalChatScreen(chat: .withLee))
            let ids = walk.app.screens.map(\.id)
            walk.app.select("home")
            walk.app.send(.showPersonalChat, on: ProjectDetailScreen.self)
            walk.expect(Self.chatOverDetail, TudyWalks.tree)
            #expect(walk.app.screens.map(\.id) == ids)
        }
    }

    @Test("T-19 in UIKit: a guest is asked to log in, and the chat is not opened afterwards")
    func personalChatAsGuest() throws {
        try TudyWalks.detail(of: .walkingApp) { walk in
            walk.app.send(.showPersonalChat, on: ProjectDetailScreen.self)
            walk.expect(TudyWalks.detail + " ⊕ fullScreen[login]", TudyWalks.treeWithLogin)
            walk.app.send(.close, on: LoginScreen.self)
            walk.expect(TudyWalks.detail, TudyWalks.tree)
            walk.app.send(.showPersonalChat, on: ProjectDetailScreen.self)
            walk.logIn("kim")
            walk.expect(TudyWalks.detail, TudyWalks.tree)
        }
    }

    @Test("T-20 in UIKit: a tap in the list opens the chat of a group")
    func groupChat() throws {
        try TudyWalks.run { walk in
            walk.app.select("chat")
            walk.app.send(.showChat(chat: .walkers), on: ChatListScreen.self)
            walk.expect(Self.groupChat, TudyWalks.tree)
        }
    }

    @Test("T-21, T-22 in UIKit: an invitation can be closed, and accepting it dismisses, pops and pushes in one input")
    func invite() throws {
        try TudyWalks.run { walk in
            walk.app.select("chat")
            walk.app.send(.showChat(chat: .withLee), on: ChatListScreen.self)
            walk.app.send(.invite, on: PersonalChatScreen.self)
            walk.expect(Self.personalChat + " ⊕ fullScreen[invite]", TudyWalks.tree)
            walk.app.send(.close, on: InviteScreen.self)
            walk.expect(Self.personalChat, TudyWalks.tree)
            walk.app.send(.invite, on: PersonalChatScreen.self)
            walk.app.send(.pick(group: .walkers), on: InviteScreen.self)
            walk.expect(Self.groupChat, TudyWalks.tree)
            walk.app.expectChanges(#"[{"dismiss":[5]},{"pop":[3]},{"push":[6]}]"#)
        }
    }

    @Test("T-23 in UIKit: the chat tab shows the login and stays selected")
    func loginFromChat() throws {
        try TudyWalks.run { walk in
            walk.app.select("chat")
            walk.app.send(.showLogin, on: ChatListScreen.self)
            walk.expect("tab(chat){home[home], chat[chatList]} ⊕ fullScreen[login]", TudyWalks.treeWithLogin)
            walk.app.send(.close, on: LoginScreen.self)
            walk.expect("tab(chat){home[home], chat[chatList]}", TudyWalks.tree)
        }
    }

    @Test("T-26 in UIKit: a double tap opens one login")
    func doubleTap() throws {
        try TudyWalks.login { walk in
            walk.expectUnchanged(.stale, naming: "covered") { $0.app.send("showLogin", from: 1) }
            walk.expect(TudyWalks.login, TudyWalks.treeWithLogin)
        }
    }

    @Test("T-28 in UIKit: back from the sign-up stays in the login")
    func popSignUp() throws {
        try TudyWalks.login { walk in
            walk.app.send(.showSignUp, on: LoginScreen.self)
            walk.app.popped(4)
            walk.expect(TudyWalks.login, TudyWalks.treeWithLogin)
        }
    }

    @Test("T-29 in UIKit: the login fills the window and cannot be dismissed")
    func dismiss() throws {
        try TudyWalks.login { walk in walk.expectUnchanged(.invalid, naming: "not a sheet") { $0.app.dismissed(3) } }
    }

    @Test("T-31 in UIKit: a push notification opens a chat, whatever screens cover the tabs")
    func link() throws {
        try TudyWalks.login { walk in
            walk.app.open(UIKitCoordinator.Flow.url("tudy://chats/2"))
            walk.expect(Self.groupChat, TudyWalks.tree)
        }
        try TudyWalks.detail(of: .walkingApp) { walk in
            walk.app.open(UIKitCoordinator.Flow.url("tudy://chats/1"))
            walk.expect(Self.chatOverDetail, TudyWalks.tree)
        }
    }
}
