import Usher

/// The styles in which a controller lies over what presents it.
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen, pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    case none = -1
    case automatic = -2
}

extension UIModalPresentationStyle {
    /// The engine's style for it.
    var engineStyle: PresentationStyle {
        switch self {
        case .fullScreen, .currentContext: .fullScreen
        case .overFullScreen, .overCurrentContext, .custom: .overFullScreen
        case .formSheet: .formSheet
        case .popover: .popover
        case .pageSheet, .automatic, .none: .sheet
        }
    }

    /// True where the view of what presents it is taken out, so that it disappears.
    var hidesPresenter: Bool { self == .fullScreen || self == .currentContext }
}

/// The ways in which a modal comes and goes.
public enum UIModalTransitionStyle: Int, Sendable {
    case coverVertical, flipHorizontal, crossDissolve, partialCurl
}

/// An object that animates transitions; nobody asks it.
@MainActor @preconcurrency
public protocol UIViewControllerTransitioningDelegate: AnyObject {}

/// The manager of a presentation.
@MainActor @preconcurrency
open class UIPresentationController: UIResponder {
    /// The object that is asked and told when the user closes it.
    public weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    private weak var presented: UIViewController?
    private weak var presenting: UIViewController?
    private(set) lazy var sheet = UISheetPresentationController(
        presentedViewController: presentedViewController, presenting: presenting)
    private(set) lazy var popover = UIPopoverPresentationController(
        presentedViewController: presentedViewController, presenting: presenting)

    /// Makes a manager.
    public init(presentedViewController: UIViewController, presenting: UIViewController?) {
        presented = presentedViewController
        self.presenting = presenting
    }

    /// The controller that is presented; an empty one in the place of one that has left memory.
    public final var presentedViewController: UIViewController { presented ?? UIViewController() }

    /// The controller that presents.
    public final var presentingViewController: UIViewController {
        presentedViewController.presentingViewController ?? presenting ?? presentedViewController
    }
}

/// The manager of a sheet: its heights are kept, and change nothing.
@MainActor @preconcurrency
open class UISheetPresentationController: UIPresentationController {
    /// The heights at which a sheet may rest.
    public struct Detent: Hashable, Sendable {
        private let name: String

        /// Half of the screen.
        public static func medium() -> Detent { Detent(name: "medium") }
        /// All of the screen.
        public static func large() -> Detent { Detent(name: "large") }
    }

    /// The heights at which it may rest.
    open var detents: [Detent] = [.large()]
    /// True where it shows that it can be pulled.
    open var prefersGrabberVisible = false
    /// The radius of its corners.
    open var preferredCornerRadius: Double?
}

/// The manager of a popover: where it points is kept, and changes nothing.
@MainActor @preconcurrency
open class UIPopoverPresentationController: UIPresentationController {
    /// The view that it points at.
    open var sourceView: UIView?
    /// The item that it points at.
    open var barButtonItem: UIBarButtonItem?
}

/// The delegate of a presentation, asked and told when the user closes it; not when the app does.
@MainActor @preconcurrency
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
    /// Is asked whether the user may close it.
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool

    /// Is told that the user closes it.
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController)

    /// Is told that the user has closed it.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)

    /// Is told that the user has tried to close it, and may not.
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    /// Allows it.
    public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }

    /// Does nothing.
    public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}

    /// Does nothing.
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}

    /// Does nothing.
    public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
}
