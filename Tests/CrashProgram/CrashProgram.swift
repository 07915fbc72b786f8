import Usher
import UsherServer

/// A server of an app whose handlers do what no handler may do, and of one whose root starts over.
@main
enum CrashProgram: ServerProgram {
    static var apps: [any App.Type] { [CrashApp.self, LapsApp.self] }
}

/// An app whose sessions, opened with `{"deed":"index"}` for example, make a mistake when they are created.
enum CrashApp: App {
    struct Options: Codable, Sendable {
        var deed: Deed?
        var note: String?
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { CrashCoordinator(options.deed) }
}
