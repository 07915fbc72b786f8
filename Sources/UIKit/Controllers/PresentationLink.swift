import Usher

/// A controller's links to the controllers that it presents and that present it.
struct PresentationLink {
    var presented: UIViewController?
    var controller: UIPresentationController?
    private var presenter: BackReference<UIViewController>?

    @MainActor
    var presenting: UIViewController? {
        get { presenter?.object }
        set { presenter = newValue?.backReference }
    }

    /// Reads the presenter without counting a reference; `body` must not run code of the app.
    @MainActor
    func readPresenting<Value>(_ body: (UIViewController) -> Value) -> Value? { presenter?.read(body) }
}

extension UIViewController {
    /// The object that manages the presentation; its delegate is called when the user dismisses the controller.
    public final var presentationController: UIPresentationController? {
        if let controller = presentation.controller { return controller }
        guard parent == nil else { return outermost.presentationController }
        let controller = UIPresentationController(presentedViewController: self, presenting: presentingViewController)
        presentation.controller = controller
        return controller
    }

    /// The presentation controller, if it can manage a sheet.
    public final var sheetPresentationController: UISheetPresentationController? {
        presentationController?.sheet
    }

    /// The presentation controller, if it can manage a popover.
    public final var popoverPresentationController: UIPopoverPresentationController? {
        presentationController?.popover
    }

    final var outermost: UIViewController {
        var controller = self
        while let parent = controller.parent { controller = parent }
        return controller
    }

    /// The window that contains the controller, through containers and presentations.
    final var containingWindow: UIWindow? {
        // Read the links without counting references, because every input asks for the window.
        if let above = readContainer({ $0.containingWindow }) { return above }
        return presentation.readPresenting { $0.containingWindow } ?? filledWindow
    }

    /// The modals above the controller, bottom to top, without modals that are being dismissed.
    final var presentedChain: [UIViewController] {
        var chain: [UIViewController] = []
        var next = presenter.presentation.presented
        while let controller = next, !controller.move.isDismissal {
            chain.append(controller)
            next = controller.presenter.presentation.presented
        }
        return chain
    }

    /// The controller that presents: this controller, or a child that defines a presentation context.
    private var presenter: UIViewController { presenterThatPresents ?? self }

    private var presenterThatPresents: UIViewController? {
        if presentation.presented != nil { return self }
        for place in visiblePlaces {
            if let presenter = children[place].presenterThatPresents { return presenter }
        }
        return nil
    }

    /// Returns the outermost container, or the nearest presentation context if the style is shown in a context.
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

    /// Returns UIKit's message if a controller cannot be presented now, so that `present` has no effect.
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

    private var isActive: Bool {
        presentation.presenting != nil || parent != nil
            || UIKitSession.current?.application.windows.contains { $0.rootViewController === self } ?? false
    }

    private var isInWindow: Bool {
        let outermost = outermost
        if let presenting = outermost.presentation.presenting { return presenting.isInWindow }
        return UIKitSession.current?.application.windows.contains { $0.rootViewController === outermost } ?? true
    }

    final func beginDismissing(animated: Bool, _ completion: (() -> Void)?) {
        (presentedViewController ?? ownModal)?.leavePresentation(animated: animated)
        UIKitSession.complete(completion)
    }

    private var ownModal: UIViewController? {
        let outermost = outermost
        return outermost.presentation.presenting == nil ? nil : outermost
    }

    /// Starts the dismissal of the controller and all modals above it.
    final func leavePresentation(animated: Bool) {
        guard !move.isDismissal else { return }
        presenter.presentation.presented?.leavePresentation(animated: animated)
        begin(.dismissal(animated: animated))
        if !animated || UIKitSession.current == nil { unlinkPresentation() }
    }

    final func unlinkAllPresented() {
        for child in children { child.unlinkAllPresented() }
        guard let presented = presentation.presented else { return }
        presented.unlinkPresentation()
        presented.unlinkAllPresented()
    }

    final func unlinkPresentation() {
        if presentation.presenting?.presentation.presented === self {
            presentation.presenting?.presentation.presented = nil
        }
        presentation.presenting = nil
    }
}

extension UIViewController {
    /// Handles the user's attempt to dismiss the controller, which the presentation's delegate may prevent.
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
        // Keep this controller alive for the call: the presentation controller holds it only weakly.
        session.enqueue { [self] in
            withExtendedLifetime(self) { delegate.presentationControllerDidDismiss(controller) }
        }
    }

    /// The controller, if it is a system controller that only its own delegate dismisses; otherwise nil.
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

    /// The reason why the user cannot pull the controller down; nil if the user can, or if a delegate decides.
    final var dismissalRefusal: String? {
        guard isModalInPresentation || contentIsModal, presentation.controller?.delegate == nil else { return nil }
        return "the user cannot close the screen by pulling it down"
    }

    private var contentIsModal: Bool { shownStack.last?.isModalInPresentation ?? false }

    final func leaveByUser() {
        var controller = self
        while let parent = controller.parent, !parent.removeByUser(controller) { controller = parent }
    }

    /// Cancels a popover's presentation on an iPad if there is no anchor, for which UIKit throws an exception.
    ///
    /// Called when presentations begin, because an app may set the anchor after `present`.
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
