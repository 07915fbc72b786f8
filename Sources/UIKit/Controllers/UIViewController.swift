import Usher

/// A controller of one screen, or of others that it contains; its view is data that nobody draws.
///
/// A class that is a `ScreenController` says what it shows; of any other, clients see the class's name, the title and
/// what can be tapped.
///
/// What only the module changes is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor @preconcurrency
open class UIViewController: UIResponder {
    /// The title, shown in a bar.
    open var title: String? {
        didSet { storedNavigationItem?.title = title }
    }
    /// Set to hide a tab bar while it is in a navigation.
    open var hidesBottomBarWhenPushed = false
    /// Set to keep the user from pulling it down.
    open var isModalInPresentation = false
    /// The way in which it lies over what presents it.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// The way in which it comes and goes.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// True where what it presents lies over it alone.
    open var definesPresentationContext = false
    /// The object that animates its coming and going; nobody asks it.
    public weak var transitioningDelegate: (any UIViewControllerTransitioningDelegate)?
    /// The bar items that a toolbar shows for it.
    open var toolbarItems: [UIBarButtonItem]?
    /// The item of a tab bar for it.
    open lazy var tabBarItem: UITabBarItem = UITabBarItem(title: nil, image: nil, tag: 0)
    /// The controllers in it.
    @safe @exclusivity(unchecked) public internal(set) var children: [UIViewController] = []
    /// The controller that it is in.
    public internal(set) final var parent: UIViewController? {
        get { container?.object }
        set { container = newValue?.backReference }
    }

    @safe @exclusivity(unchecked) private final var container: BackReference<UIViewController>?
    /// The reference by which those know it that it contains or presents.
    @safe @exclusivity(unchecked) private final var ownReference: BackReference<UIViewController>?
    /// The part of the two presentation links that is its own.
    @safe @exclusivity(unchecked) var presentation = PresentationLink()
    /// The change of its place that is under way.
    @safe @exclusivity(unchecked) var move = ControllerMove.none
    /// Its place in what is on display.
    @safe @exclusivity(unchecked) var visibility = Visibility.hidden
    /// Its part in the transition of what is on display.
    @safe @exclusivity(unchecked) var part = AppearancePart.none
    /// Set where it stays in memory, as it said when it was shown.
    @safe @exclusivity(unchecked) var stayedInMemory = false
    @safe @exclusivity(unchecked) private final var window: BackReference<UIWindow>?
    @safe @exclusivity(unchecked) private var storedView: UIView?
    /// The items of a bar, where somebody has asked for them: at each input it is looked whether there is a back button.
    @safe @exclusivity(unchecked) private(set) final var storedNavigationItem: UINavigationItem?

    /// True once its view was loaded.
    @safe @exclusivity(unchecked) public private(set) final var isViewLoaded = false

    /// Makes a controller; nothing is read from a nib.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// Makes a controller.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    deinit { ownReference?.clear() }

    /// The reference for those that it contains or presents.
    final var backReference: BackReference<UIViewController> {
        if let ownReference { return ownReference }
        let reference = BackReference(self)
        ownReference = reference
        return reference
    }

    /// Calls a closure with the container, without counting a reference; returns nil if there is no container.
    ///
    /// - Parameter body: The closure, which must not run code of the app.
    final func readContainer<Value>(_ body: (UIViewController) -> Value) -> Value? { container?.read(body) }

    /// The window that it fills.
    final var filledWindow: UIWindow? {
        get { window?.object }
        set { window = newValue?.backReference }
    }

    /// The items of a navigation bar for it.
    open var navigationItem: UINavigationItem {
        if let item = storedNavigationItem { return item }
        let item = UINavigationItem(title: title ?? "")
        storedNavigationItem = item
        return item
    }

    /// The title that a bar shows: its items may have another.
    final var barTitle: String? { storedNavigationItem?.title ?? title }

    /// The view, loaded at its first use.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, for it is the declared type on a phone.
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

    /// The view, where it was loaded.
    public final var viewIfLoaded: UIView? { isViewLoaded ? view : nil }

    /// The view, where somebody has asked for it.
    final var viewIfMade: UIView? { storedView }

    /// Makes the view.
    open func loadView() {}

    /// Is told that the view was loaded, once.
    open func viewDidLoad() {}

    /// Is told that the view is about to be shown.
    open func viewWillAppear(_ animated: Bool) {}

    /// Is told that the view is being shown.
    open func viewIsAppearing(_ animated: Bool) {}

    /// Is told that the view is shown.
    open func viewDidAppear(_ animated: Bool) {}

    /// Is told that the view is about to be hidden.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Is told that the view is hidden.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Is told that it is about to enter a container, or to leave its own.
    open func willMove(toParent parent: UIViewController?) {}

    /// Is told that it has entered a container, or left it.
    open func didMove(toParent parent: UIViewController?) {}

    /// Loads the view, if that has not been done.
    public final func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        loadView()
        viewDidLoad()
    }

    /// Presents a controller over its outermost container.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - animated: Whether the user sees it come.
    ///   - completion: Is run once it is shown.
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        beginPresenting(controller, animated: animated, completion)
    }

    /// Closes what it presents, with all above that; or itself, where it presents nothing.
    ///
    /// - Parameters:
    ///   - animated: Whether the user sees it go.
    ///   - completion: Is run once it is gone.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        beginDismissing(animated: animated, completion)
    }

    /// Adds a controller to those that it contains.
    open func addChild(_ controller: UIViewController) {
        guard controller.parent !== self else { return }
        guard !isContained(in: controller) else {
            let complaint = "\(type(of: controller)) cannot be added as a child of what it contains, or of itself"
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

    /// Leaves its container.
    open func removeFromParent() {
        guard let parent else { return }
        parent.lose(self)
        self.parent = nil
        didMove(toParent: nil)
        UIKitSession.current?.setNeedsReconciling()
    }

    /// Has a controller no longer, which leaves it, or is in another container now.
    func lose(_ child: UIViewController) { remove(child) }

    /// Takes a controller out of those that it contains.
    final func remove(_ child: UIViewController) {
        // A loop, because a closure would check its actor.
        for place in children.indices where children[place] === child {
            children.remove(at: place)
            return
        }
    }

    /// Forgets a controller that has left it.
    func forget(_ left: UIViewController) {}

    /// Begins to show what is on top now, in a navigation whose delegate was told of another controller.
    func beginShowing(animated isAnimated: Bool) {}

    /// Tells a navigation's delegate what is about to be shown.
    func willShow() {}

    /// Tells a navigation's delegate what is shown.
    func didShow() {}

    /// Shows a controller as its containers do: a navigation pushes it, else it is presented.
    open func show(_ controller: UIViewController, sender: Any?) {
        guard let navigationController else { return present(controller, animated: true) }
        navigationController.show(controller, sender: sender)
    }

    /// Shows a controller beside this one, where a container does that; else like `show`.
    open func showDetailViewController(_ controller: UIViewController, sender: Any?) {
        guard let splitViewController else { return show(controller, sender: sender) }
        splitViewController.showDetailViewController(controller, sender: sender)
    }

    /// Changes what the bar's editing button says.
    open func setEditing(_ editing: Bool, animated: Bool) {
        isEditing = editing
    }

    /// True while its content is edited.
    open var isEditing = false

    /// The actions of a controller that is no `ScreenController`, which its author lists beside those that are found.
    open var actionsOfScreen: [UIAction] { [] }

    /// True where the app keeps it on purpose when it is not shown, so that it is no leak; by default a page.
    ///
    /// So are a column, and all that is in a window which is not shown, whatever it says.
    open var staysInMemory: Bool { parent is UIPageViewController }

    /// The next responder: the container.
    open override var next: UIResponder? { parent }

    /// The look of the status bar, of no meaning to clients.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }

    /// A Boolean value indicating whether the status bar is hidden, of no meaning to clients.
    open var prefersStatusBarHidden: Bool { false }

    /// The ways to hold the device, of no meaning to clients.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .all }

    /// The way to hold the device when the controller is presented, of no meaning to clients.
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .portrait }

    /// A Boolean value indicating whether the controller turns with the device, of no meaning to clients.
    open var shouldAutorotate: Bool { true }

    /// The status bar is looked at by nobody.
    open func setNeedsStatusBarAppearanceUpdate() {}

    /// Never called: nothing is laid out.
    open func viewWillLayoutSubviews() {}

    /// Never called: nothing is laid out.
    open func viewDidLayoutSubviews() {}

    /// Never called: there is no safe area.
    open func viewSafeAreaInsetsDidChange() {}

    /// The controllers that stand for it in a stack of the engine's, bottom to top.
    final var shownStack: [UIViewController] { shownStack(after: []).added }

    /// Compares the controllers that stand for it in a stack of the engine's with the former ones.
    final func shownStack(after former: [UIViewController]) -> ShownControllers {
        var stack = ShownControllers(after: former)
        appendShown(to: &stack)
        return stack
    }

    /// Appends the controllers that stand for it in a stack of the engine's, bottom to top.
    func appendShown(to stack: inout ShownControllers) {
        guard let child = topVisibleChild, !(self is any ScreenController) else { return stack.append(self) }
        child.appendShown(to: &stack)
    }

    /// The places, in `children`, of the controllers whose views are visible when its own is.
    var visiblePlaces: Range<Int> { children.indices }

    /// The controllers in it whose views are visible when its own is.
    final var visibleChildren: ArraySlice<UIViewController> { children[visiblePlaces] }

    /// The tab bar that fills it, where there is one.
    var tabsOfBase: UITabBarController? {
        guard let tabs = topVisibleChild?.tabsOfBase else { return nil }
        return self is any ScreenController ? nil : tabs
    }

    /// Takes a controller out that the user has gone back from.
    ///
    /// - Returns: False where that is for the container of this one to do.
    func removeByUser(_ child: UIViewController) -> Bool { false }

    /// Follows the user, who has closed the modal that it is.
    func closeByUser(in session: UIKitSession) { askedToClose(in: session) }

    /// The style in which the engine shows it.
    var engineStyle: PresentationStyle { modalPresentationStyle.engineStyle }
}
