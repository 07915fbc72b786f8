import SampleBackend
import Usher
import UsherServer

/// A server of an app with everything that the page must be able to show.
@main
enum GalleryProgram: ServerProgram {
    static var apps: [any App.Type] { [GalleryApp.self] }
}

/// An app that shows everything that is difficult for the page: long texts, leaks, depth, refusals, modals, waiting.
enum GalleryApp: App {
    /// The gate where idle effects wait.
    static func services() -> Gate { Gate() }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { GalleryCoordinator() }
}
