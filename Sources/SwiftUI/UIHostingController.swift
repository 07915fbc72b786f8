public import Usher

/// A view controller that hosts a view.
///
/// An app may subclass this class, as on a phone. If the view is a `ScreenView`, clients see the view's screen. For
/// other views, clients see the view's name, and the controller's title and bar buttons.
@MainActor @preconcurrency
open class UIHostingController<RootView: View>: UIViewController {
    /// The view.
    open var rootView: RootView {
        didSet { hostErasedView() }
    }

    /// The view's task, from the view's appearance until its disappearance.
    private var task: Task<Void, Never>?

    /// Creates a controller that hosts a view.
    public init(rootView: RootView) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
        hostErasedView()
    }

    /// Returns nil, because there are no archives of controllers.
    public init?(coder: NSCoder, rootView: RootView) {
        return nil
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// Calls the view's `onAppear()`, and starts its `task()`.
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // A pop that the user cancels makes the view appear again, although the view has not disappeared.
        guard task == nil else { return }
        rootView.onAppear()
        let view = rootView
        task = Task { await view.task() }
    }

    /// Cancels the view's task, and calls the view's `onDisappear()`.
    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        task?.cancel()
        task = nil
        rootView.onDisappear()
    }

    /// Hosts a view with an erased type in a child controller, which knows the view's type.
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

    /// Passes an event to the view.
    public func handle(_ event: RootView.Content.Event) throws { try rootView.handle(event) }
}
