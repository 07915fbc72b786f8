@_exported public import UIKit

/// A web page.
@MainActor @preconcurrency
open class SFSafariViewController: UIViewController, ScreenController {
    /// The way in which the user leaves the page, as an event.
    public enum PageEnding: String, SystemChoice, CaseIterable {
        case done
    }

    /// The looks of the button that closes the page.
    public enum DismissButtonStyle: Int, Sendable {
        case done, close, cancel
    }

    /// The object that is notified when the user has closed the page.
    public weak var delegate: (any SFSafariViewControllerDelegate)?
    /// The configuration, which has no effect.
    public let configuration: Configuration
    /// The colour of the bars.
    open var preferredBarTintColor: UIColor?
    /// The colour of the controls.
    open var preferredControlTintColor: UIColor?
    /// The look of the button that closes the page; the event keeps its name.
    open var dismissButtonStyle = DismissButtonStyle.done
    private let url: URL

    /// The configuration of a page, which has no effect.
    @MainActor @preconcurrency
    open class Configuration: NSObject {
        /// A Boolean value that indicates whether the page opens in reader mode.
        open var entersReaderIfAvailable = false
        /// A Boolean value that indicates whether the bars become smaller when the user scrolls.
        open var barCollapsingEnabled = true

        /// Creates a configuration.
        public override init() {
            super.init()
        }
    }

    /// Creates a controller that shows a page.
    public convenience init(url: URL) {
        self.init(url: url, configuration: Configuration())
    }

    /// Creates a controller that shows a page with a configuration.
    public init(url: URL, configuration: Configuration) {
        self.url = url
        self.configuration = configuration
        super.init(nibName: nil, bundle: nil)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The screen, with the page's URL.
    public var content: SystemScreen<PageEnding> { SystemScreen(named: "safari", items: [url.absoluteString]) }

    /// Dismisses the controller, and then notifies the delegate.
    public func handle(_ event: PageEnding) {
        dismiss(animated: true) { [self] in delegate?.safariViewControllerDidFinish(self) }
    }
}

extension SFSafariViewController: SystemController {
    package func didEndByUser() { delegate?.safariViewControllerDidFinish(self) }
}

/// The delegate of a web page.
@MainActor @preconcurrency
public protocol SFSafariViewControllerDelegate: AnyObject {
    /// Called when the user has closed the page.
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}

extension SFSafariViewControllerDelegate {
    /// Does nothing.
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
}
