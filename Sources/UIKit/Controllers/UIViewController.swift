import Usher
import UsherReflection

/// A controller of one screen, or a container of other controllers; its view is data that is never drawn.
///
/// A class that conforms to `ScreenController` defines its screen. For any other class, clients see the class's name,
/// the title, and what can be tapped.
@MainActor @preconcurrency
open class UIViewController: UIResponder {
    /// The title, shown in a bar.
    open var title: String? {
        didSet { storedNavigationItem?.title = title }
    }
    /// A Boolean value that indicates whether pushing the controller hides the tab bar.
    open var hidesBottomBarWhenPushed = false
    /// A Boolean value that indicates whether the user is prevented from pulling the controller down.
    open var isModalInPresentation = false
    /// The style in which the controller is presented.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// The animation of the controller's presentation and dismissal.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// A Boolean value that indicates whether controllers that this controller presents cover only this controller.
    open var definesPresentationContext = false
    /// The object that animates the presentation; its methods are never called.
    public weak var transitioningDelegate: (any UIViewControllerTransitioningDelegate)?
    /// The items that a toolbar shows for the controller.
    open var toolbarItems: [UIBarButtonItem]?
    // Exclusivity is unchecked if only this module changes a property, because no access runs code of the app.
    /// The controllers in this container.
    @safe @exclusivity(unchecked) public internal(set) var children: [UIViewController] = []
    /// The controller's container.
    public internal(set) final var parent: UIViewController? {
        get { container?.object }
        set { container = newValue?.backReference }
    }

    @safe @exclusivity(unchecked) private final var container: BackReference<UIViewController>?
    @safe @exclusivity(unchecked) private final var ownReference: BackReference<UIViewController>?
    /// The record of whether the controller was deallocated; created once the controller's screen was removed.
    // Unsafe, because the engine, which is on no actor, reads the property on the session's thread.
    @safe @exclusivity(unchecked) nonisolated(unsafe) final var ownLife: ObjectLife?
    @safe @exclusivity(unchecked) var presentation = PresentationLink()
    @safe @exclusivity(unchecked) var move = ControllerMove.none
    @safe @exclusivity(unchecked) var visibility = Visibility.hidden
    @safe @exclusivity(unchecked) var part = AppearancePart.none
    /// The value of `staysInMemory` when the controller was last shown.
    @safe @exclusivity(unchecked) var stayedInMemory = false
    @safe @exclusivity(unchecked) private final var window: BackReference<UIWindow>?
    @safe @exclusivity(unchecked) private var storedView: UIView?
    private var storedTabBarItem: UITabBarItem?
    /// The items of a navigation bar; nil until the app reads them, so that checks for a back button are fast.
    @safe @exclusivity(unchecked) private(set) final var storedNavigationItem: UINavigationItem?

    /// A Boolean value that indicates whether the view was loaded.
    @safe @exclusivity(unchecked) public private(set) final var isViewLoaded = false

    /// Creates a controller, without reading a nib.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// Creates a controller.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    deinit {
        ownReference?.clear()
        ownLife?.end()
    }

    /// The back reference to this controller, which its children and the controllers that it presents store.
    final var backReference: BackReference<UIViewController> {
        if let ownReference { return ownReference }
        let reference = BackReference(self)
        ownReference = reference
        return reference
    }

    /// Reads the container without counting a reference; `body` must not run code of the app.
    final func readContainer<Value>(_ body: (UIViewController) -> Value) -> Value? { container?.read(body) }

    /// The window whose root is this controller.
    final var filledWindow: UIWindow? {
        get { window?.object }
        set { window = newValue?.backReference }
    }

    /// The controller's items in a navigation bar.
    open var navigationItem: UINavigationItem {
        if let item = storedNavigationItem { return item }
        let item = UINavigationItem(title: title ?? "")
        storedNavigationItem = item
        return item
    }

    final var barTitle: String? { storedNavigationItem?.title ?? title }

    /// The controller's item in a tab bar; if it was set to nil, the next read creates another item.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, because it is the declared type on a phone.
    open var tabBarItem: UITabBarItem! {
        get {
            if let storedTabBarItem { return storedTabBarItem }
            let item = UITabBarItem(title: nil, image: nil, tag: 0)
            storedTabBarItem = item
            return item
        }
        set { storedTabBarItem = newValue }
    }

    /// The view, which is loaded on first use.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, because it is the declared type on a phone.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            if storedView == nil { storeView(UIView()) }
            return storedView
        }
        set { storeView(newValue) }
    }

    private func storeView(_ view: UIView?) {
        view?.holdController()
        storedView = view
    }

    /// The view if it was loaded, or else nil.
    public final var viewIfLoaded: UIView? { isViewLoaded ? view : nil }

    /// Returns `true` if a visible view belongs to this controller, to a visible child, or to a modal.
    final func shows(_ view: UIView) -> Bool {
        guard storedView !== view else { return visibility == .visible }
        for child in visibleChildren where child.shows(view) { return true }
        return presentation.presented?.shows(view) ?? false
    }

    final var viewIfMade: UIView? { storedView }

    /// Creates the view.
    open func loadView() {}

    /// Called once after the view was loaded.
    open func viewDidLoad() {}

    /// Called before the view appears.
    open func viewWillAppear(_ animated: Bool) {}

    /// Called while the view appears.
    open func viewIsAppearing(_ animated: Bool) {}

    /// Called after the view has appeared.
    open func viewDidAppear(_ animated: Bool) {}

    /// Called before the view disappears.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Called after the view has disappeared.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Called before the controller enters a container or leaves its container.
    open func willMove(toParent parent: UIViewController?) {}

    /// Called after the controller has entered a container or left its container.
    open func didMove(toParent parent: UIViewController?) {}

    /// Loads the view if it was not loaded yet.
    public final func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        loadView()
        viewDidLoad()
    }

    /// The controller that this controller, or its nearest presenting container, has presented.
    open var presentedViewController: UIViewController? {
        presentation.presented ?? parent?.presentedViewController
    }

    /// The controller that presented this controller, or that presented this controller's outermost container.
    open var presentingViewController: UIViewController? {
        presentation.presenting ?? parent?.presentingViewController
    }

    /// Presents a controller over the outermost container, and calls the completion after the controller is shown.
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        beginPresenting(controller, animated: animated, completion)
    }

    /// Dismisses the presented controller and all modals above it or, if none is presented, this controller.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        beginDismissing(animated: animated, completion)
    }

    /// Adds a controller to this container.
    open func addChild(_ controller: UIViewController) {
        guard controller.parent !== self else { return }
        guard !isContained(in: controller) else {
            let complaint =
                "\(type(of: controller)) cannot be added as a child of itself, or of a controller that it contains"
            return UIKitSession.current?.warn(complaint) ?? ()
        }
        if controller.parent != nil { controller.removeFromParent() }
        controller.willMove(toParent: self)
        children.append(controller)
        controller.parent = self
        UIKitSession.current?.setNeedsReconciling()
    }

    final func isContained(in controller: UIViewController) -> Bool {
        self === controller || readContainer { $0.isContained(in: controller) } ?? false
    }

    /// Removes the controller from its container.
    open func removeFromParent() {
        guard let parent else { return }
        parent.lose(self)
        self.parent = nil
        didMove(toParent: nil)
        UIKitSession.current?.setNeedsReconciling()
    }

    /// Removes a controller that is leaving this container, or that is already in another container.
    func lose(_ child: UIViewController) { remove(child) }

    /// Visits children without counting references; `body` must not run code of the app, which may change the children.
    final func eachChild(in places: Range<Int>, _ body: (UIViewController) -> Void) {
        for place in places {
            // Safe because the list, which cannot change during the call, retains the child.
            unsafe Unmanaged.passUnretained(children[place])._withUnsafeGuaranteedRef(body)
        }
    }

    final func remove(_ child: UIViewController) {
        // A loop, because each call of a closure would check the actor.
        for place in children.indices where children[place] === child {
            children.remove(at: place)
            return
        }
    }

    func forget(_ left: UIViewController) {}

    /// Starts to show a navigation controller's top controller, unless the delegate was already notified of it.
    func beginShowing(animated isAnimated: Bool) {}

    /// Notifies a navigation controller's delegate before a controller is shown.
    func willShow() {}

    func didShow() {}

    /// Shows a controller: pushes it onto the navigation controller or, if there is none, presents it.
    open func show(_ controller: UIViewController, sender: Any?) {
        guard let navigationController else { return present(controller, animated: true) }
        navigationController.show(controller, sender: sender)
    }

    /// Shows a controller as the detail of the split view controller or, if there is none, calls `show`.
    open func showDetailViewController(_ controller: UIViewController, sender: Any?) {
        guard let splitViewController else { return show(controller, sender: sender) }
        splitViewController.showDetailViewController(controller, sender: sender)
    }

    /// Starts or ends editing, which changes the title of the editing button.
    open func setEditing(_ editing: Bool, animated: Bool) {
        isEditing = editing
    }

    /// A Boolean value that indicates whether the content is being edited.
    open var isEditing = false

    /// Actions for clients, in addition to those that the module finds; ignored for a `ScreenController`.
    open var actionsOfScreen: [UIAction] { [] }

    /// A Boolean value that indicates whether the app keeps the controller in memory on purpose while it is not shown.
    ///
    /// Such a controller is no leak. By default the value is `true` for a page. Columns, and controllers in a hidden
    /// window, are never leaks.
    open var staysInMemory: Bool { readContainer { $0 is UIPageViewController } ?? false }

    /// The next responder, which is the container.
    open override var next: UIResponder? { parent }

    /// The style of the status bar, which has no effect.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }

    /// A Boolean value that indicates whether the status bar is hidden, which has no effect.
    open var prefersStatusBarHidden: Bool { false }

    /// The supported orientations of the device, which have no effect.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .all }

    /// The orientation for the presentation, which has no effect.
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .portrait }

    /// A Boolean value that indicates whether the controller rotates with the device, which has no effect.
    open var shouldAutorotate: Bool { true }

    /// Does nothing, because there is no status bar.
    open func setNeedsStatusBarAppearanceUpdate() {}

    /// The size for a container or a popover, which has no effect.
    open var preferredContentSize = CGSize.zero

    /// Does nothing, because the session calls the life cycle methods of children itself.
    public final func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {}

    /// Does nothing, because the session calls the life cycle methods of children itself.
    public final func endAppearanceTransition() {}

    /// Never called, because nothing is laid out.
    open func viewWillLayoutSubviews() {}

    /// Never called, because nothing is laid out.
    open func viewDidLayoutSubviews() {}

    /// Never called, because there is no safe area.
    open func viewSafeAreaInsetsDidChange() {}

    /// The controllers that one of the engine's stacks shows for this controller, from the bottom to the top.
    final var shownStack: [UIViewController] {
        let stack = ShownControllers()
        stack.collect(self)
        return stack.controllers
    }

    func appendShown(to stack: ShownControllers) {
        guard let child = topVisibleChild, !(self is any ScreenController) else { return stack.append(self) }
        child.appendShown(to: stack)
    }

    /// The indices of the children that are visible when this controller is visible.
    var visiblePlaces: Range<Int> { children.indices }

    final var visibleChildren: ArraySlice<UIViewController> { children[visiblePlaces] }

    /// The tab bar that fills this controller; nil if there is none.
    var tabsOfBase: UITabBarController? {
        guard let tabs = topVisibleChild?.tabsOfBase else { return nil }
        return self is any ScreenController ? nil : tabs
    }

    /// Removes a controller that the user has left; returns `false` if this controller's own container must remove it.
    func removeByUser(_ child: UIViewController) -> Bool { false }

    func closeByUser(in session: UIKitSession) { askedToClose(in: session) }

    var engineStyle: PresentationStyle { modalPresentationStyle.engineStyle }
}
