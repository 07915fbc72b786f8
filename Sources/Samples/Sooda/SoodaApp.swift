public import Usher

/// A messenger for teams, entered through a login and a workspace (`sooda`).
public enum SoodaApp: App {
    /// How the app is opened.
    public struct Options: Codable, Sendable {
        /// Where the splash leads.
        var launch = Launch.login
    }

    /// A user who has to log in.
    public static var options: Options { Options() }

    /// The coordinator of the window's root.
    public static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(launch: options.launch)
    }
}
