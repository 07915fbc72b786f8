public import Usher

/// What the user can choose in a system controller: the events of its screen.
public protocol SystemChoice: Codable, Sendable {
    /// One choice of each kind.
    static var examples: [Self] { get }
}

extension SystemChoice where Self: CaseIterable {
    /// Every case.
    public static var examples: [Self] { Array(allCases) }
}

/// The screen of a system controller, whose events are the choices of the user.
///
/// Every controller of the system works in the same way: the client reads the screen, shows the device's own picker,
/// sheet or prompt, and sends the result as an event. The controller then calls its delegate or closure in the event's
/// input, so a replay gets the same result. If the app presents the controller, the controller is a `ScreenController`
/// with this screen. A question that the system presents is a `SystemPrompt`.
public struct SystemScreen<Event: SystemChoice>: Screen, Equatable {
    /// One event of each kind.
    public static var examples: [Event] { Event.examples }

    /// The screen's name in the protocol.
    public let instanceName: String?
    /// The screen's items, for example the shared items or the link of a page.
    public let items: [String]
    /// The maximum number of things that the user can pick; nil if there is no limit, or nothing to pick.
    public let limit: Int?

    private enum CodingKeys: String, CodingKey { case items, limit }

    /// Creates the screen of a system controller.
    package init(named name: String, items: [String], limit: Int? = nil) {
        instanceName = name
        self.items = items
        self.limit = limit
    }

    /// Returns the things that the user has picked.
    ///
    /// - Throws: `Refusal` if the client has sent nothing, or more than the limit.
    package func checked(_ picked: [String]) throws -> [String] {
        guard !picked.isEmpty else { throw Refusal("nothing is picked: send at least one item, or `cancelled`") }
        if let limit, picked.count > limit {
            throw Refusal("\(picked.count) items are picked: send at most \(limit)")
        }
        return picked
    }

    /// Returns a URL that the client has sent.
    ///
    /// - Throws: `Refusal` if the text is not a URL with a scheme.
    package static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.scheme != nil else {
            throw Refusal("\"\(text)\" is not a URL with a scheme, such as https://example.org/photo.jpg")
        }
        return url
    }
}

extension SystemScreen: ScreenWrapper {
    /// nil, because the author has declared no screen.
    package static var wrapped: (any Screen.Type)? { nil }
}

/// A system controller whose handler or delegate is called when the user ends it.
@MainActor
package protocol SystemController: UIViewController {
    /// A Boolean value that indicates whether only the delegate dismisses the controller, even if it is pulled down.
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
    public enum SharingEnding: String, SystemChoice, CaseIterable {
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
