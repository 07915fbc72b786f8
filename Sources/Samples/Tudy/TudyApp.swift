package import SampleAccounts
package import Usher

/// A place to find people for a project, with tabs for projects and chats; only some actions need a login (`tudy`).
package enum TudyApp: App {
    /// The options of a session.
    package struct Options: Codable, Sendable {
        /// Whether the user is Kim, who has logged in before; otherwise the user is a guest.
        var loggedIn = false
    }

    package static var options: Options { Options() }

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

    package static var flowHosts: [any FlowHost.Type] { [AppCoordinator.self, TabBarCoordinator.self] }

    /// Returns the coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(user: options.loggedIn ? .kim : nil)
    }

    package static func services() -> AccountServices { AccountServices() }
}
