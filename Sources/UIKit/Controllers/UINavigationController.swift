/// A container with a stack of controllers, whose top controller the user sees and can leave by going back.
@MainActor @preconcurrency
open class UINavigationController: UIViewController {
    /// The object that is called when another controller is shown.
    // Exclusivity is unchecked in this class, because no access runs code of the app.
    @safe @exclusivity(unchecked) open weak var delegate: (any UINavigationControllerDelegate)? {
        didSet { ignoredCalls = [] }
    }
    /// The methods that the delegate does not implement; not called again, because reading a weak reference is slow.
    ///
    /// UIKit, too, checks only once which methods its delegate implements.
    @safe @exclusivity(unchecked) private var ignoredCalls: DelegateCalls = []
    /// The bar at the top.
    public private(set) lazy var navigationBar = UINavigationBar()
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, because it is the declared type on a phone.
    /// The bar at the bottom.
    public private(set) lazy var toolbar: UIToolbar! = UIToolbar()
    /// A Boolean value that indicates whether the bar at the top is hidden.
    @safe @exclusivity(unchecked) open var isNavigationBarHidden = false
    /// A Boolean value that indicates whether the bar at the bottom is hidden.
    open var isToolbarHidden = true
    /// The swipe back; nil until the app reads the swipe's recogniser, and until then only the back button decides.
    @safe @exclusivity(unchecked) private(set) final var swipeBack: SwipeBack?
    /// The controller that was last reported to the delegate, until the controller leaves the stack.
    ///
    /// Not weak, because reference counting is slower for objects with weak references.
    @safe @exclusivity(unchecked) private var announced: UIViewController?
    /// The controller that is being shown; nil once the delegate was notified that the controller is shown.
    @safe @exclusivity(unchecked) private var shown: UIViewController?
    @safe @exclusivity(unchecked) private var showsAnimated = false
    /// The transition that is being shown, or an interactive transition; created when the app reads it.
    @safe @exclusivity(unchecked) private var transition: NavigationTransition?
    /// The number of the session's transition that a push or a pop has begun.
    @safe @exclusivity(unchecked) private var begunNumber: Int?
    /// The transition that a push or a pop has begun; created when the app reads it, kept until the moves end.
    @safe @exclusivity(unchecked) private var begun: NavigationTransition?
    private var ownTabBarItem: UITabBarItem?

    /// Creates a navigation controller with its root.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }

    /// Creates a navigation controller with bars of some classes.
    public init(navigationBarClass: AnyClass?, toolbarClass: AnyClass?) {
        super.init(nibName: nil, bundle: nil)
    }

    /// Creates an empty navigation controller.
    public override init(nibName: String?, bundle: Bundle?) {
        super.init(nibName: nibName, bundle: bundle)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The recogniser of the swipe back.
    ///
    /// If an app sets the recogniser's delegate, even to nil, the back button no longer decides about the swipe.
    public final var interactivePopGestureRecognizer: UIGestureRecognizer? {
        let swipe = swipeBack ?? SwipeBack(in: self)
        swipeBack = swipe
        return swipe.recognizer
    }

    /// The stack, from the bottom to the top.
    open var viewControllers: [UIViewController] {
        get { children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The controller at the top of the stack.
    public final var topViewController: UIViewController? { children.last }

    /// The controller that the user sees: the top of the stack, or the controller that it presents.
    public final var visibleViewController: UIViewController? {
        presentedViewController ?? topViewController
    }

    /// The item for a tab bar; by default the root controller's item.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, because it is the declared type on a phone.
    open override var tabBarItem: UITabBarItem! {
        get { ownTabBarItem ?? children.first?.tabBarItem ?? super.tabBarItem }
        set { ownTabBarItem = newValue }
    }

    /// Pushes a controller onto the stack.
    open func pushViewController(_ controller: UIViewController, animated: Bool) {
        if let complaint = complaint(against: controller) {
            UIKitSession.current?.warn(complaint)
            return
        }
        let (top, session) = (topViewController, UIKitSession.current)
        enter(controller, animated: animated && !children.isEmpty, in: session)
        children.append(controller)
        beginTransition(from: top, animated: animated, in: session)
    }

    /// Pops the top controller and returns it; returns nil if the stack has only the root.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard children.count > 1, let top = topViewController else { return nil }
        let session = UIKitSession.current
        leave(top, animated: animated, in: session)
        remove(top)
        beginTransition(from: top, animated: animated, in: session)
        return top
    }

    /// Pops and returns all controllers above the root, from the bottom to the top; returns nil if there are none.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        children.count > 1 ? removeAll(above: 0, animated: animated) : nil
    }

    /// Pops all controllers above a controller.
    ///
    /// - Returns: The controllers that leave, from the bottom to the top; nil if the controller is not in the stack,
    ///   for which UIKit throws an exception.
    @discardableResult
    open func popToViewController(_ controller: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = children.firstIndex(where: { $0 === controller }) else {
            UIKitSession.current?.warn("Tried to pop to a view controller that doesn't exist: \(type(of: controller))")
            return nil
        }
        return removeAll(above: index, animated: animated)
    }

    /// Replaces the stack.
    open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
        let (top, session) = (topViewController, UIKitSession.current)
        let leaving = children.filter { old in !controllers.contains { $0 === old } }
        for controller in leaving { leave(controller, animated: animated, in: session) }
        var wanted: [UIViewController] = []
        for controller in controllers {
            guard !wanted.contains(where: { $0 === controller }) else {
                UIKitSession.current?.warn("\(type(of: controller)) is in the stack of \(type(of: self)) twice")
                continue
            }
            if controller.parent !== self { enter(controller, animated: animated, in: session) }
            wanted.append(controller)
        }
        children = wanted
        beginTransition(from: top, animated: animated, in: session)
    }

    /// Hides or shows the bar at the top.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) { isNavigationBarHidden = hidden }

    /// Hides or shows the bar at the bottom.
    open func setToolbarHidden(_ hidden: Bool, animated: Bool) { isToolbarHidden = hidden }

    /// Shows a controller by pushing it onto the stack.
    open override func show(_ controller: UIViewController, sender: Any?) {
        pushViewController(controller, animated: true)
    }

    override func appendShown(to stack: ShownControllers) {
        guard !children.isEmpty else { return stack.append(self) }
        eachChild(in: children.indices) { $0.appendShown(to: stack) }
    }

    override var visiblePlaces: Range<Int> { max(children.count - 1, 0)..<children.count }

    override var tabsOfBase: UITabBarController? { topViewController?.tabsOfBase }

    override func removeByUser(_ child: UIViewController) -> Bool {
        guard children.count > 1, children.contains(where: { $0 === child }) else { return false }
        if child === topViewController {
            // Pop as a phone does: with a call that a subclass may override to prevent the pop.
            popViewController(animated: true)
            UIKitSession.current?.setNeedsReconciling()
            return true
        }
        leave(child, animated: true, in: UIKitSession.current)
        remove(child)
        return true
    }

    private func removeAll(above index: Int, animated: Bool) -> [UIViewController] {
        let (top, session) = (topViewController, UIKitSession.current)
        let leaving = Array(children[(index + 1)...])
        for controller in leaving { leave(controller, animated: animated, in: session) }
        children.removeSubrange((index + 1)...)
        beginTransition(from: top, animated: animated, in: session)
        return leaving
    }

    override func lose(_ child: UIViewController) {
        super.lose(child)
        forget(child)
    }

    override func beginShowing(animated isAnimated: Bool) {
        guard !children.isEmpty, children.last !== announced else { return }
        (shown, showsAnimated) = (topViewController, isAnimated)
        transition = unshown
        if let transition, let shown { transition.lead(from: announced, to: shown, isAnimated: isAnimated) }
    }

    override func willShow() {
        guard let shown, !ignoredCalls.contains(.willShow) else { return }
        delegate?.navigationController(self, willShow: shown, animated: showsAnimated)
    }

    override func didShow() {
        guard let shown else { return }
        if !ignoredCalls.contains(.didShow) {
            delegate?.navigationController(self, didShow: shown, animated: showsAnimated)
        }
        transition?.finish()
        transition = nil
        announced = shown
        self.shown = nil
    }

    override func forget(_ left: UIViewController) {
        // Until the replacement of the controller is shown, the delegate may read the controller from the transition.
        if announced === left, shown == nil { announced = nil }
    }

    private func enter(_ controller: UIViewController, animated: Bool, in session: UIKitSession?) {
        controller.willMove(toParent: self)
        controller.enter(self)
        controller.begin(.toParent(animated: animated), in: session)
    }

    private func leave(_ controller: UIViewController, animated: Bool, in session: UIKitSession?) {
        controller.willMove(toParent: nil)
        controller.begin(.fromParent(animated: animated), in: session)
    }

    /// Returns UIKit's message if a controller cannot be pushed, so that the push has no effect.
    private func complaint(against controller: UIViewController) -> String? {
        // A collapsed split view controller shows a column's navigation controller in the stack below it.
        if controller is UINavigationController, !(parent is UISplitViewController) {
            return "Pushing a navigation controller is not supported"
        }
        if isContained(in: controller) {
            return "Pushing a controller onto a controller that it contains is not supported"
        }
        for place in children.indices where children[place] === controller {
            return "Pushing the same view controller instance more than once is not supported: \(type(of: controller))"
        }
        if controller.presentation.presenting != nil {
            return "\(type(of: controller)) is presented, and cannot be pushed"
        }
        return nil
    }
}

extension UINavigationController {
    struct DelegateCalls: OptionSet {
        let rawValue: UInt8

        static let willShow = DelegateCalls(rawValue: 1)
        static let didShow = DelegateCalls(rawValue: 2)
    }

    /// Records that the delegate does not implement a method, if the object is still the delegate.
    final func note(_ object: any UINavigationControllerDelegate, ignores call: DelegateCalls) {
        if object === delegate { ignoredCalls.insert(call) }
    }

    /// The current transition; nil without animation, as on a phone.
    fileprivate var currentTransition: NavigationTransition? {
        if let begun = nextTransition { return begun }
        if transition == nil, let shown {
            transition = NavigationTransition(from: announced, to: shown, isAnimated: showsAnimated)
        }
        return transition.flatMap { $0.isAnimated ? $0 : nil }
    }

    private var nextTransition: NavigationTransition? {
        if let unshown { return unshown }
        guard let session = UIKitSession.current, begunNumber == session.moves.number, let top = topViewController
        else { return nil }
        let transition = NavigationTransition(from: shown ?? announced, to: top, isAnimated: true)
        begun = transition
        session.moves.keep(transition, of: self)
        return transition
    }

    /// The transition that will be shown next, if the app has read it.
    private var unshown: NavigationTransition? {
        guard let begun, !begun.isFinished, begun !== transition else { return nil }
        return begun
    }

    /// Makes the session show the stack; as on a phone, there is a transition only if the user sees it.
    private func beginTransition(from old: UIViewController?, animated: Bool, in session: UIKitSession?) {
        guard let session else { return }
        session.setNeedsReconciling()
        guard animated, visibility == .visible, !children.isEmpty, children.last !== old else { return }
        begunNumber = session.moves.number
        if let unshown, let top = topViewController { unshown.lead(from: old, to: top, isAnimated: true) }
    }

    func abandon(_ kept: NavigationTransition) {
        if begun === kept { begun = nil }
    }

    func beginInteractivePop(from current: UIViewController, to below: UIViewController) {
        transition = NavigationTransition(from: current, to: below, isAnimated: true, isInteractive: true)
    }

    func cancelInteractivePop() {
        transition?.cancel()
        transition = nil
    }
}

extension UIViewController {
    /// The innermost navigation controller that contains this controller.
    public final var navigationController: UINavigationController? { ancestor() }

    /// The innermost tab bar controller that contains this controller.
    public final var tabBarController: UITabBarController? { ancestor() }

    /// The innermost split view controller that contains this controller.
    public final var splitViewController: UISplitViewController? { ancestor() }

    /// The current transition of a container of this controller.
    public final var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        (self as? UINavigationController)?.currentTransition ?? parent?.transitionCoordinator
    }

    private func ancestor<Container: UIViewController>() -> Container? {
        var next = parent
        while let controller = next {
            if let container = controller as? Container { return container }
            next = controller.parent
        }
        return nil
    }
}
