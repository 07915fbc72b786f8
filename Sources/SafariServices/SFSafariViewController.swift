@_exported public import UIKit

/// A page of the web.
@MainActor @preconcurrency
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
    public var content: SystemScreen<PageEnding> { SystemScreen(named: "safari", items: [url.absoluteString]) }

    /// Ends it.
    public func handle(_ event: PageEnding) {
        dismiss(animated: true) { [self] in delegate?.safariViewControllerDidFinish(self) }
    }
}

extension SFSafariViewController: SystemController {
    /// The user is done with it.
    package func didEndByUser() { delegate?.safariViewControllerDidFinish(self) }
}

/// The delegate of a page of the web.
@MainActor @preconcurrency
public protocol SFSafariViewControllerDelegate: AnyObject {
    /// Is told that the user is done with it.
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}

extension SFSafariViewControllerDelegate {
    /// Does nothing.
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
}
