public import Usher

/// A screen of the system's: the ways in which the user leaves it are its events.
public struct SystemScreen<Event: Codable & Sendable & CaseIterable>: Screen, Equatable {
    /// One of each.
    public static var examples: [Event] { Array(Event.allCases) }

    /// Its name on the wire.
    public let instanceName: String?
    /// The things that it is about, such as what is shared, or the link of a page.
    public let items: [String]

    private enum CodingKeys: String, CodingKey { case items }
}

extension SystemScreen: ScreenWrapper {
    /// None of the author's.
    package static var wrapped: (any Screen.Type)? { nil }
}

/// The sheet for sharing things.
@MainActor
open class UIActivityViewController: UIViewController, ScreenController {
    /// The kinds of activities.
    public struct ActivityType: Hashable, RawRepresentable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Makes a kind.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The ends of such a sheet.
    public enum SharingEnding: String, Codable, CaseIterable, Sendable {
        case share, cancel
    }

    /// Is run at its end: the activity, whether it was done, what came of it, what went wrong.
    open var completionWithItemsHandler: ((ActivityType?, Bool, [Any]?, (any Error)?) -> Void)?
    /// The kinds that are left out.
    open var excludedActivityTypes: [ActivityType]?
    private let items: [Any]

    /// Makes the sheet.
    public init(activityItems: [Any], applicationActivities: [AnyObject]?) {
        items = activityItems
        super.init(nibName: nil, bundle: nil)
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The screen.
    public var content: SystemScreen<SharingEnding> {
        SystemScreen(instanceName: "activity", items: items.map { "\($0)" })
    }

    /// Ends it.
    public func handle(_ event: SharingEnding) {
        dismiss(animated: true) { [self] in completionWithItemsHandler?(nil, event == .share, nil, nil) }
    }
}

/// A page of the web.
@MainActor
open class SFSafariViewController: UIViewController, ScreenController {
    /// The ends of such a page.
    public enum PageEnding: String, Codable, CaseIterable, Sendable {
        case done
    }

    /// The object that is told of its end.
    public weak var delegate: (any SFSafariViewControllerDelegate)?
    private let url: URL

    /// Makes a page.
    public init(url: URL) {
        self.url = url
        super.init(nibName: nil, bundle: nil)
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The screen.
    public var content: SystemScreen<PageEnding> { SystemScreen(instanceName: "safari", items: [url.absoluteString]) }

    /// Ends it.
    public func handle(_ event: PageEnding) {
        dismiss(animated: true) { [self] in delegate?.safariViewControllerDidFinish(self) }
    }
}

/// The delegate of a page of the web.
@MainActor
public protocol SFSafariViewControllerDelegate: AnyObject {
    /// Is told that the user is done with it.
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}

extension SFSafariViewControllerDelegate {
    /// Does nothing.
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
}

/// The ends of writing a mail.
public enum MFMailComposeResult: Int, Codable, CaseIterable, Sendable {
    case cancelled, saved, sent, failed
}

/// A mail that the user writes; its end is told to the delegate, who dismisses it.
@MainActor
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
        SystemScreen(instanceName: "mailCompose", items: recipients + [subject])
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

/// The delegate of a mail.
@MainActor
public protocol MFMailComposeViewControllerDelegate: AnyObject {
    /// Is told of its end; it dismisses it.
    func mailComposeController(
        _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?)
}
