package import Usher

/// A start screen that leads through a login, unless the user is known, to the main screen (`start-login-main`).
package enum StartLoginMainApp: App {
    /// The user who opens the app.
    package struct Options: Codable, Sendable {
        /// Set for a user who has logged in before.
        var loggedIn = false
    }

    /// A user who has to log in.
    package static var options: Options { Options() }

    /// Who has logged in is the backend's to know.
    package static var clientOptions: ClientOptions { .none }

    /// Every screen.
    package static var screens: [any Screen.Type] {
        [
            LoginScreen.self,
            MainScreen.self,
            StartScreen.self,
            UpdateScreen.self,
        ]
    }

    /// An app on the phone that is too old for a screen is told so; with back its user goes on as far as it knows the way.
    package static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? {
        UpdateScreen(missing: screen)
    }

    /// The coordinator of the window's root.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(loggedIn: options.loggedIn)
    }
}
