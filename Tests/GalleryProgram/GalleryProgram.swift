import Usher
import UsherServer

/// A server of an app that does all that a page must be able to show.
@main
enum GalleryProgram: ServerProgram {
    static var apps: [any App.Type] { [GalleryApp.self] }
}
