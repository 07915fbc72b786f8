import Usher

/// A controller's part of the links between who presents and what is presented.
struct PresentationLink {
    var presented: UIViewController?
    var controller: UIPresentationController?
    private var presenter: BackReference<UIViewController>?

    /// The controller that has presented this one.
    @MainActor
    var presenting: UIViewController? {
        get { presenter?.object }
        set { presenter = newValue?.backReference }
    }
}

extension UIViewController {
    /// The controller that this one, or its nearest container that presents, has presented.
    public final var presentedViewController: UIViewController? {
        presentation.presented ?? parent?.presentedViewController
    }

    /// The controller that has presented this one, or the outermost container that it is in.
    public final var presentingViewController: UIViewController? {
        presentation.presenting ?? parent?.presentingViewController
    }

    /// The object that manages how it is presented; its delegate is told of the user's closing it.
    public final var presentationController: UIPresentationController? {
        if let controller = presentation.controller { return controller }
        guard parent == nil else { return outermost.presentationController }
        let controller = UIPresentationController(presentedViewController: self, presenting: presentingViewController)
        presentation.controller = controller
        return controller
    }

    /// The same object, as a sheet's.
    public final var sheetPresentationController: UISheetPresentationController? {
        presentationController?.sheet
    }

    /// The same object, as a popover's.
    public final var popoverPresentationController: UIPopoverPresentationController? {
        presentationController?.popover
    }

    /// The outermost container, or itself.
    final var outermost: UIViewController {
        var controller = self
        while let parent = controller.parent { controller = parent }
        return controller
    }

    /// The controller that fills its window: what it is in, or was presented by.
    final var rootOfWindow: UIViewController {
        var root = outermost
        while let presenting = root.presentation.presenting { root = presenting.outermost }
        return root
    }

    /// The modals over it, bottom to top, without those that are being dismissed.
    final var presentedChain: [UIViewController] {
        var chain: [UIViewController] = []
        var next = presenter.presentation.presented
        while let controller = next, !controller.move.isDismissal {
            chain.append(controller)
            next = controller.presenter.presentation.presented
        }
        return chain
    }

    /// The controller in it that presents: itself, or one that defines a context of its own.
    private var presenter: UIViewController { presenterThatPresents ?? self }

    private var presenterThatPresents: UIViewController? {
        if presentation.presented != nil { return self }
        for place in visiblePlaces {
            if let presenter = children[place].presenterThatPresents { return presenter }
        }
        return nil
    }

    /// The container that presents in a style for it: the outermost, unless the style asks for a context.
    private func presenter(of style: UIModalPresentationStyle) -> UIViewController {
        let staysInContext = style == .currentContext || style == .overCurrentContext
        var controller = self
        while let parent = controller.parent, !(staysInContext && controller.definesPresentationContext) {
            controller = parent
        }
        return controller
    }

    final func beginPresenting(_ controller: UIViewController, animated: Bool, _ completion: (() -> Void)?) {
        let presenter = presenter(of: controller.modalPresentationStyle)
        if let complaint = presenter.complaint(against: controller) {
            UIKitSession.current?.warn(complaint)
            return
        }
        presenter.presentation.presented = controller
        controller.presentation.presenting = presenter
        controller.begin(.presentation(animated: animated))
        UIKitSession.complete(completion)
    }

    /// The words of UIKit for presenting a controller that cannot be presented now; it then does nothing.
    private func complaint(against controller: UIViewController) -> String? {
        let attempt = "Attempt to present \(type(of: controller)) on \(type(of: self))"
        if controller.isActive || controller === outermost {
            return "Application tried to present modally an active controller \(type(of: controller))"
        }
        if outermost.move.isDismissal || presentation.presented?.move.isDismissal == true {
            return "\(attempt) while a dismissal is in progress; wait for its completion"
        }
        if let presented = presentation.presented {
            return "\(attempt) which is already presenting \(type(of: presented))"
        }
        return isInWindow ? nil : "\(attempt) whose view is not in the window hierarchy"
    }

    /// True where it was presented, is in a container, or is the root of a window.
    private var isActive: Bool {
        presentation.presenting != nil || parent != nil
            || UIKitSession.current?.application.windows.contains { $0.rootViewController === self } ?? false
    }

    /// True where a window shows it, or what it was presented by.
    private var isInWindow: Bool {
        let outermost = outermost
        if let presenting = outermost.presentation.presenting { return presenting.isInWindow }
        return UIKitSession.current?.application.windows.contains { $0.rootViewController === outermost } ?? true
    }

    final func beginDismissing(animated: Bool, _ completion: (() -> Void)?) {
        (presentedViewController ?? ownModal)?.leavePresentation(animated: animated)
        UIKitSession.complete(completion)
    }

    /// The modal that it is in.
    private var ownModal: UIViewController? {
        let outermost = outermost
        return outermost.presentation.presenting == nil ? nil : outermost
    }

    /// Begins to leave, with all above it.
    final func leavePresentation(animated: Bool) {
        guard !move.isDismissal else { return }
        presenter.presentation.presented?.leavePresentation(animated: animated)
        begin(.dismissal(animated: animated))
        if !animated || UIKitSession.current == nil { unlinkPresentation() }
    }

    /// Takes the links to all out that it presents, or that what is in it presents.
    final func unlinkAllPresented() {
        for child in children { child.unlinkAllPresented() }
        guard let presented = presentation.presented else { return }
        presented.unlinkPresentation()
        presented.unlinkAllPresented()
    }

    /// Takes the links out, once it has left.
    final func unlinkPresentation() {
        if presentation.presenting?.presentation.presented === self {
            presentation.presenting?.presentation.presented = nil
        }
        presentation.presenting = nil
    }
}

extension UIViewController {
    /// The user has closed it, as far as he could: its delegate may want it back.
    final func askedToClose(in session: UIKitSession) {
        session.setNeedsReconciling()
        let controller = presentation.controller
        guard let delegate = controller?.delegate, let controller else { return closed(in: session) }
        guard !isModalInPresentation, !contentIsModal, delegate.presentationControllerShouldDismiss(controller) else {
            return delegate.presentationControllerDidAttemptToDismiss(controller)
        }
        if let leftToDelegate { return leftToDelegate.didEndByUser() }
        delegate.presentationControllerWillDismiss(controller)
        followUser(in: session)
        // It knows the controller as long as the delegate is told of it.
        session.enqueue { [self] in
            withExtendedLifetime(self) { delegate.presentationControllerDidDismiss(controller) }
        }
    }

    /// The controller as one of the system's that its own delegate dismisses; nil for any other.
    private var leftToDelegate: (any SystemController)? {
        (self as? any SystemController).flatMap { $0.isDismissedByDelegate ? $0 : nil }
    }

    private func closed(in session: UIKitSession) {
        if let leftToDelegate { leftToDelegate.didEndByUser() } else { followUser(in: session) }
    }

    private func followUser(in session: UIKitSession) {
        leavePresentation(animated: true)
        guard let controller = self as? any SystemController else { return }
        session.enqueue { controller.didEndByUser() }
    }

    /// Why the user cannot pull it down, where nobody wants to hear of the attempt.
    final var dismissalRefusal: String? {
        guard isModalInPresentation || contentIsModal, presentation.controller?.delegate == nil else { return nil }
        return "it cannot be closed by pulling it down"
    }

    private var contentIsModal: Bool { shownStack.last?.isModalInPresentation ?? false }

    /// The user has gone back from it.
    final func leaveByUser() {
        var controller = self
        while let parent = controller.parent, !parent.removeByUser(controller) { controller = parent }
    }

    /// Gives up what it presents on a pad as a popover that points at nothing, which UIKit answers with an exception.
    ///
    /// Called when presentations begin: an app may set the anchor after `present`.
    final func giveUpUnanchored(in session: UIKitSession) {
        for controller in presentedChain where controller.isBeingPresented && controller.lacksAnchor {
            session.warn(
                """
                UIPopoverPresentationController (of \(type(of: controller))) should have a non-nil sourceView or \
                barButtonItem set before the presentation occurs
                """)
            controller.move = .none
            controller.unlinkPresentation()
            return controller.unlinkAllPresented()
        }
    }

    private var lacksAnchor: Bool {
        guard engineStyle == .popover || engineStyle == .actionSheet else { return false }
        let popover = popoverPresentationController
        return popover?.sourceView == nil && popover?.barButtonItem == nil
    }
}
