/// The delegate of a navigation controller, told what is shown.
@MainActor @preconcurrency
public protocol UINavigationControllerDelegate: AnyObject {
    /// Is told that a controller is about to be shown, however it came to that; also when a swipe back begins.
    func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)

    /// Is told that a controller is shown; not when a swipe back was let go of.
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

extension UINavigationControllerDelegate {
    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
    ) {}

    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {}
}

/// The controllers of a transition, by their part in it.
public struct UITransitionContextViewControllerKey: Hashable, RawRepresentable, Sendable {
    /// The name of the part.
    public let rawValue: String

    /// Makes a key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The controller that leaves.
    public static let from = UITransitionContextViewControllerKey(rawValue: "from")
    /// The controller that comes.
    public static let to = UITransitionContextViewControllerKey(rawValue: "to")
}

/// The state of a transition, as its observers see it.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {
    /// True where the user sees it.
    var isAnimated: Bool { get }
    /// True where it began with a gesture.
    var isInteractive: Bool { get }
    /// True once the user has let go of it.
    var isCancelled: Bool { get }

    /// The controller with a part in it.
    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController?
}

/// A transition whose course can be followed.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Runs code beside the transition, and when it has ended.
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool

    /// Runs code when the user lets go of a gesture.
    func notifyWhenInteractionChanges(_ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void)
}

/// A transition of a navigation.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class NavigationTransition: UIViewControllerTransitionCoordinator {
    @safe @exclusivity(unchecked) private(set) var isAnimated: Bool
    private(set) var isInteractive: Bool
    private(set) var isCancelled = false
    @safe @exclusivity(unchecked) private(set) var isFinished = false
    @safe @exclusivity(unchecked) private var from: UIViewController?
    @safe @exclusivity(unchecked) private(set) var to: UIViewController
    @safe @exclusivity(unchecked)
    private var interactionObservers: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    @safe @exclusivity(unchecked)
    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

    init(from: UIViewController?, to: UIViewController, isAnimated: Bool, isInteractive: Bool = false) {
        self.from = from
        self.to = to
        self.isAnimated = isAnimated
        self.isInteractive = isInteractive
    }

    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
        switch key {
        case .from: from
        case .to: to
        default: nil
        }
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        guard !isFinished else { return false }
        animation?(self)
        if let completion { completions.append(completion) }
        return true
    }

    func notifyWhenInteractionChanges(
        _ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void
    ) {
        interactionObservers.append(handler)
    }

    /// Leads between other controllers: more was pushed or popped before it was shown.
    func lead(from: UIViewController?, to: UIViewController, isAnimated: Bool) {
        (self.from, self.to, self.isAnimated) = (from, to, isAnimated)
    }

    /// Ends it; what waits for that runs once the engine shows what it has led to.
    func finish() {
        isFinished = true
        guard !completions.isEmpty else { return }
        let ended = completions
        completions = []
        for completion in ended {
            guard let session = UIKitSession.current else {
                completion(self)
                continue
            }
            session.enqueue { completion(self) }
        }
    }

    /// Ends it where it began.
    func cancel() {
        isCancelled = true
        for observer in interactionObservers { observer(self) }
        interactionObservers = []
        finish()
    }
}
