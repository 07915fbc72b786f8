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

    /// The coordinator of the window's root.
    public static func root(_ options: Options) -> sending AnyCoordinator {
        AppCoordinator(user: options.loggedIn ? .kim : nil)
    }
}
