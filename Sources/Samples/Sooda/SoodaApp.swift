package import SampleAccounts
package import Usher

/// A messenger for teams, entered through a login and a workspace (`sooda`).
package enum SoodaApp: App {
    /// The options of a session.
    package struct Options: Codable, Sendable {
        /// The way that the splash leads.
        var launch = Launch.login
    }

    /// A user who has to log in.
    package static var options: Options { Options() }

    /// Every screen.
    package static var screens: [any Screen.Type] {
        [
            ChannelChatScreen.self,
            ChannelSettingScreen.self,
            ConfirmLeaveScreen.self,
            DMListScreen.self,
            EditChannelScreen.self,
            EmailLoginScreen.self,
            ExploreChannelScreen.self,
            HomeDefaultScreen.self,
            HomeEmptyScreen.self,
            InitialWorkspaceScreen.self,
            InviteMemberScreen.self,
            MakeChannelScreen.self,
            MakeWorkspaceScreen.self,
            OnboardingScreen.self,
            SearchScreen.self,
            SelectAuthScreen.self,
            SettingScreen.self,
            SignUpScreen.self,
            SplashScreen.self,
            WorkspaceListScreen.self,
        ]
    }

    /// The coordinators that links lead through.
    package static var flowHosts: [any FlowHost.Type] {
        [AppCoordinator.self, TabBarCoordinator.self, HomeDefaultCoordinator.self]
    }

    /// The coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(launch: options.launch)
    }

    /// The accounts that the samples bring along.
    package static func services() -> AccountServices { AccountServices() }
}
