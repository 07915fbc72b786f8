package import SampleAccounts
package import Usher

/// A place to find people to build something with: projects in one tab, chats in the other, a login only when it is
/// needed (`tudy`).
package enum TudyApp: App {
    /// Who opens the app.
    package struct Options: Codable, Sendable {
        /// Whether Kim has logged in before; a guest otherwise.
        var loggedIn = false
    }

    /// A guest.
    package static var options: Options { Options() }

    /// Every screen.
    package static var screens: [any Screen.Type] {
        [
            ChatListScreen.self,
            FastSearchScreen.self,
            GroupChatScreen.self,
            HomeScreen.self,
            InviteScreen.self,
            LoginScreen.self,
            MyPageScreen.self,
            PersonalChatScreen.self,
            ProjectDetailScreen.self,
            ProjectWriteScreen.self,
            SearchScreen.self,
            SetInterestedJobScreen.self,
            SetNameScreen.self,
            SetSubwayScreen.self,
            WelcomeScreen.self,
        ]
    }

    /// Where links lead through.
    package static var flowHosts: [any FlowHost.Type] { [AppCoordinator.self, TabBarCoordinator.self] }

    /// The coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(user: options.loggedIn ? .kim : nil)
    }

    /// The accounts that the samples bring along.
    package static func services() -> AccountServices { AccountServices() }
}
