/// The complete state of a session; a client needs only the newest state.
///
/// docs/protocol.md explains each member.
public struct SessionState: Sendable, Equatable, Decodable {
    /// The end of a session whose root coordinator has finished.
    public struct Ended: Sendable, Equatable, Decodable {
        /// The reason: `finished`.
        public let reason: String
        /// The root coordinator's result, if it has one.
        public let result: JSON?
    }

    /// The session's id.
    public let session: String
    /// The app's name.
    public let app: String
    /// The number of accepted inputs, including the opening.
    public let revision: Int
    /// The visible stack of screens, from bottom to top.
    public let stack: [Screen]
    /// The tabs, if the base is a tab bar.
    public let tabs: Tabs?
    /// Whether the user can go back now.
    public let back: Back
    /// The changes of the display in this revision, in order.
    public let changes: [JSON]
    /// The names of the running effects.
    public let pending: [String]
    /// The losses of a session that resumed at an earlier revision; nil after the answer to the client's next input.
    public let resumed: Resumed?
    /// Calls of the app that had no effect; nil if there are none.
    public let warnings: [String]?
    /// Coordinators that stayed in memory after they had left; nil if there are none.
    public let leaks: [JSON]?
    /// The end, in the last state of a session.
    public let ended: Ended?
}

/// A resumption at an earlier revision, because a new build or the operator undid inputs.
public struct Resumed: Sendable, Equatable, Decodable {
    /// The undone inputs, and what was lost with them.
    public struct Dropped: Sendable, Equatable, Decodable {
        /// The number of the user's inputs.
        public let inputs: Int
        /// The number of a backend's messages.
        public let messages: Int
        /// The names of effects that had finished.
        public let results: [String]
        /// The names of effects that were running.
        public let effects: [String]
        /// The owners of running timers, each as a coordinator's path and a screen.
        public let timers: [String]
    }

    /// The last valid revision; 0 if the session was restarted.
    public let revision: Int
    /// A description of the first input that had a different outcome.
    public let reason: String
    /// The undone inputs.
    public let dropped: Dropped
}

/// Whether the user can go back.
public enum Back: Sendable, Equatable, Decodable {
    case possible
    case impossible
    /// A screen refuses to go back, with its reason.
    case refused(String)

    private enum CodingKeys: CodingKey {
        case refused
    }

    /// Decodes a Boolean, or an object with the reason of a refusal.
    public init(from decoder: any Decoder) throws {
        if let isPossible = try? decoder.singleValueContainer().decode(Bool.self) {
            self = isPossible ? .possible : .impossible
        } else {
            self = .refused(try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .refused))
        }
    }
}

/// A screen on display.
public struct Screen: Sendable, Equatable, Identifiable, Codable {
    /// The id, which is unique in the session and never reused.
    public let id: Int
    /// The screen's name.
    public let screen: String
    /// The screen's version; nil for the first.
    public var version: Int?
    /// The path of names from the root coordinator to the coordinator that shows the screen.
    public let coordinator: String
    /// The way in which the screen was shown.
    public let shown: Shown
    /// The screen's state.
    public let state: JSON
    /// The screen's events, each with an example of its payload; nil unless the screen is visible.
    public let events: [String: JSON]?
}

/// The tabs of a tab bar.
public struct Tabs: Sendable, Equatable, Codable {
    /// The selected tab.
    public let selected: String
    /// The names of all tabs, in order.
    public let names: [String]
}

/// The way in which a screen was shown.
public struct Shown: RawRepresentable, Sendable, Hashable, Codable {
    /// The lowest screen of the base.
    public static let root = Shown(rawValue: "root")
    /// A screen that was pushed onto the screen below it.
    public static let push = Shown(rawValue: "push")
    /// A sheet, which the user can pull down.
    public static let sheet = Shown(rawValue: "sheet")
    /// A smaller sheet.
    public static let formSheet = Shown(rawValue: "formSheet")
    /// A popover, which a tap beside it closes.
    public static let popover = Shown(rawValue: "popover")
    /// A modal that covers the whole window.
    public static let fullScreen = Shown(rawValue: "fullScreen")
    /// A modal that may let the screens below show through.
    public static let overFullScreen = Shown(rawValue: "overFullScreen")
    /// An alert.
    public static let alert = Shown(rawValue: "alert")
    /// An action sheet.
    public static let actionSheet = Shown(rawValue: "actionSheet")

    /// The name in the protocol; a newer server may send other names.
    public let rawValue: String

    /// Creates a value from its name in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A Boolean value indicating whether the screen begins a modal with its own stack.
    public var beginsModal: Bool { self != .root && self != .push }
}
