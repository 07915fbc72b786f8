@_exported public import UIKit

/// The results of writing a mail.
public enum MFMailComposeResult: Int, Codable, CaseIterable, Sendable {
    case cancelled, saved, sent, failed
}

/// A controller in which the user writes a mail; the delegate is called at the end, and dismisses the controller.
@MainActor @preconcurrency
open class MFMailComposeViewController: UINavigationController, ScreenController {
    /// The results of the mail, as events.
    public enum MailEnding: String, SystemChoice, CaseIterable {
        case cancelled, saved, sent, failed
    }

    /// The object that is notified of the mail's end.
    public weak var mailComposeDelegate: (any MFMailComposeViewControllerDelegate)?
    private var subject = ""
    private var recipients: [String] = []

    /// Returns true, because a mail can always be sent.
    public static func canSendMail() -> Bool { true }

    /// Sets the subject.
    open func setSubject(_ subject: String) { self.subject = subject }

    /// Sets the recipients.
    open func setToRecipients(_ recipients: [String]?) { self.recipients = recipients ?? [] }

    /// Does nothing: the text is not shown.
    open func setMessageBody(_ body: String, isHTML: Bool) {}

    /// The screen, with the recipients and the subject.
    public var content: SystemScreen<MailEnding> {
        SystemScreen(named: "mailCompose", items: recipients + [subject])
    }

    /// Reports the mail's end to the delegate.
    public func handle(_ event: MailEnding) {
        let result: MFMailComposeResult =
            switch event {
            case .cancelled: .cancelled
            case .saved: .saved
            case .sent: .sent
            case .failed: .failed
            }
        mailComposeDelegate?.mailComposeController(self, didFinishWith: result, error: nil)
    }
}

extension MFMailComposeViewController: SystemController {
    package var isDismissedByDelegate: Bool { mailComposeDelegate != nil }

    /// Cancels the mail.
    package func didEndByUser() { handle(.cancelled) }
}

/// The delegate of a mail.
@MainActor @preconcurrency
public protocol MFMailComposeViewControllerDelegate: AnyObject {
    /// Called when the mail has ended; the delegate dismisses the controller.
    func mailComposeController(
        _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?)
}
