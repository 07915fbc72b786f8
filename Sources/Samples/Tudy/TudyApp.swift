public import SampleAccounts
public import Usher

/// A place to find people to build something with: projects in one tab, chats in the other, a login only when it is
/// needed (`tudy`).
public enum TudyApp: App {
    /// Who opens the app.
    public struct Options: Codable, Sendable {
        /// Whether Kim has logged in before; a guest otherwise.
        var loggedIn = false
    }

    /// A guest.
    public static var options: Options { Options() }

    /// Every screen.
    public static var screens: [any Screen.Type] {
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
    public static var flowHosts: [any FlowHost.Type] { [AppCoordinator.self, TabBarCoordinator.self] }

    /// The coordinator of the window's root.
    public static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(user: options.loggedIn ? .kim : nil)
    }
    /// The accounts of the backend that the environment names, or those that the samples bring along.
    public static func services() throws -> AccountServices {
        try AccountServices.ofEnvironment()
    }
}
