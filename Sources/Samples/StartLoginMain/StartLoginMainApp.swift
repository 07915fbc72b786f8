package import Usher

/// A start screen that leads to the main screen; an unknown user must log in first (`start-login-main`).
package enum StartLoginMainApp: App {
    /// The options of a session.
    package struct Options: Codable, Sendable {
        /// Whether the user has logged in before.
        var loggedIn = false
    }

    package static var options: Options { Options() }

    /// Clients may set no options, because only the backend knows who has logged in.
    package static var clientOptions: ClientOptions { .none }

    package static var screens: [any Screen.Type] {
        [
            LoginScreen.self,
            MainScreen.self,
            StartScreen.self,
            UpdateScreen.self,
        ]
    }

    /// Returns the screen that asks the user to update an app that is too old to draw a screen; the user can go back.
    package static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? {
        UpdateScreen(missing: screen)
    }

    /// Returns the coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(loggedIn: options.loggedIn)
    }
}
