import Usher

/// The styles in which a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen, pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    case none = -1
    case automatic = -2
}

extension UIModalPresentationStyle {
    var engineStyle: PresentationStyle {
        switch self {
        case .fullScreen, .currentContext: .fullScreen
        case .overFullScreen, .overCurrentContext, .custom: .overFullScreen
        case .formSheet: .formSheet
        case .popover: .popover
        case .pageSheet, .automatic, .none: .sheet
        }
    }

    /// A Boolean value that indicates whether the presenter's view is removed, so that the presenter disappears.
    var hidesPresenter: Bool { self == .fullScreen || self == .currentContext }
}

/// The animations of a presentation.
public enum UIModalTransitionStyle: Int, Sendable {
    case coverVertical, flipHorizontal, crossDissolve, partialCurl
}

/// An object that animates transitions; its methods are never called.
@MainActor @preconcurrency
public protocol UIViewControllerTransitioningDelegate: AnyObject {}

/// The manager of a presentation.
@MainActor @preconcurrency
open class UIPresentationController: UIResponder {
    /// The object that is called when the user dismisses the controller.
    public weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    private weak var presented: UIViewController?
    private weak var presenting: UIViewController?
    private(set) lazy var sheet = UISheetPresentationController(
        presentedViewController: presentedViewController, presenting: presenting)
    private(set) lazy var popover = UIPopoverPresentationController(
        presentedViewController: presentedViewController, presenting: presenting)

    /// Creates a manager.
    public init(presentedViewController: UIViewController, presenting: UIViewController?) {
        presented = presentedViewController
        self.presenting = presenting
    }

    /// The presented controller; an empty controller after the presented controller was deallocated.
    public final var presentedViewController: UIViewController { presented ?? UIViewController() }

    /// The presenting controller.
    public final var presentingViewController: UIViewController {
        presentedViewController.presentingViewController ?? presenting ?? presentedViewController
    }
}

/// The manager of a sheet, whose heights are stored, but have no effect.
@MainActor @preconcurrency
open class UISheetPresentationController: UIPresentationController {
    /// The heights at which a sheet may rest.
    public struct Detent: Hashable, Sendable {
        private let name: String

        /// Returns a detent of half of the screen.
        public static func medium() -> Detent { Detent(name: "medium") }
        /// Returns a detent of the whole screen.
        public static func large() -> Detent { Detent(name: "large") }
    }

    /// The heights at which the sheet may rest.
    open var detents: [Detent] = [.large()]
    /// A Boolean value that indicates whether the sheet shows a grabber.
    open var prefersGrabberVisible = false
    /// The radius of the corners.
    open var preferredCornerRadius: Double?
}

/// The manager of a popover, whose anchor is stored, but has no effect.
@MainActor @preconcurrency
open class UIPopoverPresentationController: UIPresentationController {
    /// The view that the popover points at.
    open var sourceView: UIView?
    /// The rectangle of the view that the popover points at.
    open var sourceRect = CGRect.zero
    /// The item that the popover points at.
    open var barButtonItem: UIBarButtonItem?
}

/// The delegate of a presentation, which is called when the user dismisses the controller, but not when the app does.
@MainActor @preconcurrency
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
    /// Returns a Boolean value that indicates whether the user may dismiss the controller.
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool

    /// Called when the user dismisses the controller.
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController)

    /// Called when the user has dismissed the controller.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)

    /// Called when the user has tried to dismiss the controller without permission.
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    /// Returns `true`.
    public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }

    /// Does nothing.
    public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}

    /// Does nothing.
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}

    /// Does nothing.
    public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
}
