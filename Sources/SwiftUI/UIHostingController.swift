public import Usher

/// A view controller of a view.
///
/// A subclass may be an app's own, as on a phone. If the view is a `ScreenView`, clients see its screen; otherwise they see
/// the view's name, and the title and bar buttons of the controller.
@MainActor @preconcurrency
open class UIHostingController<RootView: View>: UIViewController {
    /// The view.
    open var rootView: RootView {
        didSet { hostErasedView() }
    }

    /// Creates a controller of a view.
    public init(rootView: RootView) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
        hostErasedView()
    }

    /// Fails: there are no archives of controllers.
    public init?(coder: NSCoder, rootView: RootView) {
        return nil
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// Shows a view whose type is hidden by a controller of its type, as a child.
    private func hostErasedView() {
        guard let view = rootView as? any ErasingView else { return }
        for child in children {
            child.willMove(toParent: nil)
            child.removeFromParent()
        }
        let child = Self.host(view.wrapped)
        addChild(child)
        child.didMove(toParent: self)
    }

    private static func host<V: View>(_ view: V) -> UIViewController { UIHostingController<V>(rootView: view) }
}

extension UIHostingController: ScreenController where RootView: ScreenView {
    /// The view's screen.
    public typealias Content = RootView.Content

    /// The view's screen.
    public var content: RootView.Content { rootView.content }

    /// Gives the view an event.
    public func handle(_ event: RootView.Content.Event) throws { try rootView.handle(event) }
}
