public import Usher

/// The screen of a system controller, whose events are the ways in which the user leaves it.
public struct SystemScreen<Event: Codable & Sendable & CaseIterable>: Screen, Equatable {
    /// One event of each kind.
    public static var examples: [Event] { Array(Event.allCases) }

    /// The screen's name in the protocol.
    public let instanceName: String?
    /// The screen's items, for example the shared items or the link of a page.
    public let items: [String]

    private enum CodingKeys: String, CodingKey { case items }

    /// Creates the screen of a system controller.
    package init(named name: String, items: [String]) {
        instanceName = name
        self.items = items
    }
}

extension SystemScreen: ScreenWrapper {
    /// nil, because the author has declared no screen.
    package static var wrapped: (any Screen.Type)? { nil }
}

/// A system controller whose handler or delegate is called when the user ends it.
@MainActor
package protocol SystemController: UIViewController {
    /// A Boolean value that indicates whether only the delegate dismisses the controller, even when it is pulled down.
    var isDismissedByDelegate: Bool { get }

    /// Called when the user has pulled the controller down.
    func didEndByUser()
}

extension SystemController {
    /// `false`: the controller dismisses itself.
    package var isDismissedByDelegate: Bool { false }
}

/// The sheet for sharing items.
@MainActor @preconcurrency
open class UIActivityViewController: UIViewController, ScreenController {
    /// The kinds of activities.
    public struct ActivityType: Hashable, RawRepresentable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The ways in which the user ends the sheet.
    public enum SharingEnding: String, Codable, CaseIterable, Sendable {
        case share, cancel
    }

    /// Called when the user ends the sheet: with the activity, whether it was completed, its results, and an error.
    open var completionWithItemsHandler: ((ActivityType?, Bool, [Any]?, (any Error)?) -> Void)?
    /// The kinds of activities that the sheet does not offer.
    open var excludedActivityTypes: [ActivityType]?
    private let items: [Any]

    /// Creates the sheet.
    public init(activityItems: [Any], applicationActivities: [AnyObject]?) {
        items = activityItems
        super.init(nibName: nil, bundle: nil)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The sheet's screen.
    public var content: SystemScreen<SharingEnding> {
        SystemScreen(named: "activity", items: items.map { "\($0)" })
    }

    /// Ends the sheet.
    public func handle(_ event: SharingEnding) {
        dismiss(animated: true) { [self] in completionWithItemsHandler?(nil, event == .share, nil, nil) }
    }
}

extension UIActivityViewController: SystemController {
    /// Reports that nothing was shared.
    package func didEndByUser() { completionWithItemsHandler?(nil, false, nil, nil) }
}
