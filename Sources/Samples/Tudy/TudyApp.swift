package import SampleAccounts
package import Usher

/// A place to find people to build something with: projects in one tab, chats in the other, a login only when it is
/// needed (`tudy`).
package enum TudyApp: App {
    /// The user who opens the app.
    package struct Options: Codable, Sendable {
        /// Set for Kim, who has logged in before; otherwise it is a guest.
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

    /// The coordinators that links lead through.
    package static var flowHosts: [any FlowHost.Type] { [AppCoordinator.self, TabBarCoordinator.self] }

    /// The coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(user: options.loggedIn ? .kim : nil)
    }

    /// The accounts that the samples bring along.
    package static func services() -> AccountServices { AccountServices() }
}
