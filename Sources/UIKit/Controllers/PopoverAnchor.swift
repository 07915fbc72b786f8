import Usher

/// The anchor that a popover points at: on a pad UIKit raises where there is none.
extension UIViewController {
    /// Warns where it is presented as a popover that points at nothing; looked at when the presentation begins.
    final func warnOfMissingAnchor(in session: UIKitSession) {
        guard session.device.userInterfaceIdiom == .pad else { return }
        guard engineStyle == .popover || engineStyle == .actionSheet else { return }
        let popover = popoverPresentationController
        guard popover?.sourceView == nil, popover?.barButtonItem == nil else { return }
        session.warn(
            """
            UIPopoverPresentationController (of \(type(of: self))) should have a non-nil sourceView or barButtonItem set \
            before the presentation occurs
            """)
    }
}
