@_exported public import UIKit

/// The ends of writing a mail.
public enum MFMailComposeResult: Int, Codable, CaseIterable, Sendable {
    case cancelled, saved, sent, failed
}

/// A mail that the user writes; its end is told to the delegate, who dismisses it.
@MainActor @preconcurrency
open class MFMailComposeViewController: UINavigationController, ScreenController {
    /// The ends of such a mail.
    public enum MailEnding: String, Codable, CaseIterable, Sendable {
        case cancelled, saved, sent, failed
    }

    /// The object that is told of its end.
    public weak var mailComposeDelegate: (any MFMailComposeViewControllerDelegate)?
    private var subject = ""
    private var recipients: [String] = []

    /// True: a mail can always be sent.
    public static func canSendMail() -> Bool { true }

    /// Sets the subject.
    open func setSubject(_ subject: String) { self.subject = subject }

    /// Sets who gets it.
    open func setToRecipients(_ recipients: [String]?) { self.recipients = recipients ?? [] }

    /// Sets the text.
    open func setMessageBody(_ body: String, isHTML: Bool) {}

    /// The screen.
    public var content: SystemScreen<MailEnding> {
        SystemScreen(named: "mailCompose", items: recipients + [subject])
    }

    /// Ends it.
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
    /// True where it has one.
    package var isDismissedByDelegate: Bool { mailComposeDelegate != nil }

    /// The mail is cancelled.
    package func didEndByUser() { handle(.cancelled) }
}

/// The delegate of a mail.
@MainActor @preconcurrency
public protocol MFMailComposeViewControllerDelegate: AnyObject {
    /// Is told of its end; it dismisses it.
    func mailComposeController(
        _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?)
}
