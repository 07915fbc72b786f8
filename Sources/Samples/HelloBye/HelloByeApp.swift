package import Usher

/// Two greetings that take turns, each with a coordinator of its own (`hello-bye`).
package enum HelloByeApp: App {
    /// The greeting that comes first.
    package struct Options: Codable, Sendable {
        /// Set where hello comes first.
        var greeting = false
    }

    /// Bye comes first, unless the client says otherwise.
    package static var options: Options { Options() }

    /// Every screen.
    package static var screens: [any Screen.Type] {
        [
            ByeScreen.self,
            HelloScreen.self,
        ]
    }

    /// The coordinator that lets the greetings take turns.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(greeting: options.greeting)
    }
}
