import SampleBackend
import Usher
import UsherServer

/// A server of an app that does all that a page must be able to show.
@main
enum GalleryProgram: ServerProgram {
    static var apps: [any App.Type] { [GalleryApp.self] }
}

/// Shows, one at a time, what an app may do to a page: long texts, leaks, depth, refusals, modals, waiting.
enum GalleryApp: App {
    /// The gate that resting effects wait at.
    static func services() -> Gate { Gate() }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { GalleryCoordinator() }
}
