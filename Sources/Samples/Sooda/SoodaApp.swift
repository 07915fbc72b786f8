package import SampleAccounts
package import Usher

/// A messenger for teams, entered through a login and a workspace (`sooda`).
package enum SoodaApp: App {
    package struct Options: Codable, Sendable {
        /// The place to which the splash leads.
        var launch = Launch.login
    }

    package static var options: Options { Options() }

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

    package static var flowHosts: [any FlowHost.Type] {
        [AppCoordinator.self, TabBarCoordinator.self, HomeDefaultCoordinator.self]
    }

    /// Returns the coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(launch: options.launch)
    }

    package static func services() -> AccountServices { AccountServices() }
}
