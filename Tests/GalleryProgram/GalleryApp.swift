import SampleBackend
import Usher

/// Shows, one at a time, what an app may do to a page: long texts, leaks, depth, refusals, modals, waiting.
enum GalleryApp: App {
    /// What those wait at that rest.
    static func services() -> Gate { Gate() }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { GalleryCoordinator() }
}
