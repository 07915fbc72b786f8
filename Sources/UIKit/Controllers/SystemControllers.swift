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

    /// Makes the screen of one of the system's controllers.
    package init(named name: String, items: [String]) {
        instanceName = name
        self.items = items
    }
}

extension SystemScreen: ScreenWrapper {
    /// None of the author's.
    package static var wrapped: (any Screen.Type)? { nil }
}

/// One of the system's controllers, whose handler or delegate is told how the user has ended it.
@MainActor
package protocol SystemController: UIViewController {
    /// True where its delegate dismisses it: pulled down, it is there until then.
    var isDismissedByDelegate: Bool { get }

    /// Tells that the user has pulled it down.
    func didEndByUser()
}

extension SystemController {
    /// It goes by itself.
    package var isDismissedByDelegate: Bool { false }
}

/// The sheet for sharing things.
@MainActor @preconcurrency
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
        SystemScreen(named: "activity", items: items.map { "\($0)" })
    }

    /// Ends it.
    public func handle(_ event: SharingEnding) {
        dismiss(animated: true) { [self] in completionWithItemsHandler?(nil, event == .share, nil, nil) }
    }
}

extension UIActivityViewController: SystemController {
    /// Nothing was shared.
    package func didEndByUser() { completionWithItemsHandler?(nil, false, nil, nil) }
}
