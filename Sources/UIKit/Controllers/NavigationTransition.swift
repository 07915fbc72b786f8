/// The delegate of a navigation controller, which is called when another controller is shown.
@MainActor @preconcurrency
public protocol UINavigationControllerDelegate: AnyObject {
    /// Called before a controller is shown, whatever the reason; also when the user starts to swipe back.
    func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)

    /// Called after a controller is shown; not after a swipe back that the user has cancelled.
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

extension UINavigationControllerDelegate {
    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
    ) {
        navigationController.note(self, ignores: .willShow)
    }

    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        navigationController.note(self, ignores: .didShow)
    }
}

/// The roles of controllers in a transition.
public struct UITransitionContextViewControllerKey: Hashable, RawRepresentable, Sendable {
    /// The name of the role.
    public let rawValue: String

    /// Creates a key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The controller that disappears.
    public static let from = UITransitionContextViewControllerKey(rawValue: "from")
    /// The controller that appears.
    public static let to = UITransitionContextViewControllerKey(rawValue: "to")
}

/// The state of a transition for its observers.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {
    /// A Boolean value that indicates whether the user sees the transition.
    var isAnimated: Bool { get }
    /// A Boolean value that indicates whether a gesture has started the transition.
    var isInteractive: Bool { get }
    /// A Boolean value that indicates whether the user has cancelled the gesture.
    var isCancelled: Bool { get }

    /// Returns the controller with a role in the transition.
    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController?
}

/// A transition that can be observed.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Runs one closure during the transition, and another closure after the transition.
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool

    /// Runs code when the user cancels the gesture.
    func notifyWhenInteractionChanges(_ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void)
}

/// A transition of a navigation controller.
// Exclusivity is unchecked, because no access runs code of the app.
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

    /// Changes the controllers, because others were pushed or popped before the transition was shown.
    func lead(from: UIViewController?, to: UIViewController, isAnimated: Bool) {
        (self.from, self.to, self.isAnimated) = (from, to, isAnimated)
    }

    /// Ends the transition; its completions run at the end of the input, when the engine shows the result.
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

    /// Cancels the transition, which then ends where it started.
    func cancel() {
        isCancelled = true
        for observer in interactionObservers { observer(self) }
        interactionObservers = []
        finish()
    }
}
