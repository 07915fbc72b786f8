public import Usher

/// A controller whose screen is a value, where a phone has a view of SwiftUI's.
@MainActor @preconcurrency
open class UIHostingController<Content: Screen & Equatable>: UIViewController, ScreenController {
    /// The screen.
    open var rootView: Content
    private let receive: (Content.Event) throws -> Void

    /// Makes a controller of a screen.
    ///
    /// - Parameters:
    ///   - rootView: The screen.
    ///   - handler: Does what its events ask for.
    public init(rootView: Content, handler: @escaping (Content.Event) throws -> Void) {
        self.rootView = rootView
        receive = handler
        super.init(nibName: nil, bundle: nil)
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The screen.
    public final var content: Content { rootView }

    /// Does what an event asks for.
    public final func handle(_ event: Content.Event) throws {
        try receive(event)
    }
}

extension UIHostingController where Content.Event == Never {
    /// Makes a controller of a screen that sends no events.
    public convenience init(rootView: Content) {
        self.init(rootView: rootView) { _ in }
    }
}
