package import Usher

/// Two greetings that take turns, each with its own coordinator (`hello-bye`).
package enum HelloByeApp: App {
    /// The options of a session.
    package struct Options: Codable, Sendable {
        /// Whether hello comes first.
        var greeting = false
    }

    package static var options: Options { Options() }

    package static var screens: [any Screen.Type] {
        [
            ByeScreen.self,
            HelloScreen.self,
        ]
    }

    /// Returns the coordinator that lets the greetings take turns.
    package static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(greeting: options.greeting)
    }
}
