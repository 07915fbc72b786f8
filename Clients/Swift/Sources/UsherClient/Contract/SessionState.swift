/// A session's state: always complete, so that the newest is all that a client needs.
///
/// docs/protocol.md says what each member means.
public struct SessionState: Sendable, Equatable, Decodable {
    /// The end of a session whose root coordinator is done.
    public struct Ended: Sendable, Equatable, Decodable {
        /// The reason: `finished`.
        public let reason: String
        /// The outcome of the root coordinator, where it has one.
        public let result: JSON?
    }

    /// The session's id.
    public let session: String
    /// The app's name.
    public let app: String
    /// The number of accepted inputs, the opening among them.
    public let revision: Int
    /// The screens on display, from the bottom to the top.
    public let stack: [Screen]
    /// The tabs, where the base is a tab bar.
    public let tabs: Tabs?
    /// The answer to a user who would go back now.
    public let back: Back
    /// The changes of this revision on display, in order.
    public let changes: [JSON]
    /// The names of effects that are under way.
    public let pending: [String]
    /// What the session lost when it resumed at an earlier revision; nil after the answer to the client's next input.
    public let resumed: Resumed?
    /// Vain attempts of the app's author; nil where there are none.
    public let warnings: [String]?
    /// Coordinators that were still in memory after they had gone; nil where there are none.
    public let leaks: [JSON]?
    /// The end, in the last state of a session.
    public let ended: Ended?
}

/// A resumption at an earlier revision, because a new build or the operator has undone inputs.
public struct Resumed: Sendable, Equatable, Decodable {
    /// The undone inputs, and what was lost with them.
    public struct Dropped: Sendable, Equatable, Decodable {
        /// The number of the user's inputs.
        public let inputs: Int
        /// The number of a backend's messages.
        public let messages: Int
        /// The names of effects that had ended.
        public let results: [String]
        /// The names of effects that were under way.
        public let effects: [String]
        /// The owner of each timer that was running: a coordinator's path, and its screen.
        public let timers: [String]
    }

    /// The last revision that counts; 0 if the session began anew.
    public let revision: Int
    /// The input that came out different.
    public let reason: String
    /// The undone inputs.
    public let dropped: Dropped
}

/// The answer to a user who would go back.
public enum Back: Sendable, Equatable, Decodable {
    case possible
    case impossible
    /// A screen refuses it, and says why.
    case refused(String)

    private enum CodingKeys: CodingKey {
        case refused
    }

    /// Reads a truth value, or an object that says why back is refused.
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
    /// Unique in the session, and never used again.
    public let id: Int
    /// The screen's name.
    public let screen: String
    /// The screen's version; nil for the first.
    public var version: Int?
    /// The path of names from the root coordinator to the one that shows it.
    public let coordinator: String
    /// The way in which it came on display.
    public let shown: Shown
    /// Its contents.
    public let state: JSON
    /// The events that it takes, each with an example of its payload; only of the visible screen.
    public let events: [String: JSON]?
}

/// The tabs of a base that is a tab bar.
public struct Tabs: Sendable, Equatable, Codable {
    /// The tab on display.
    public let selected: String
    /// All of them, in order.
    public let names: [String]
}

/// The way in which a screen came on display.
public struct Shown: RawRepresentable, Sendable, Hashable, Codable {
    /// The lowest of the base.
    public static let root = Shown(rawValue: "root")
    /// Pushed onto the screen below it.
    public static let push = Shown(rawValue: "push")
    /// A sheet, which the user can pull down.
    public static let sheet = Shown(rawValue: "sheet")
    /// A smaller sheet.
    public static let formSheet = Shown(rawValue: "formSheet")
    /// A popover, which a tap beside it closes.
    public static let popover = Shown(rawValue: "popover")
    /// A modal that covers all.
    public static let fullScreen = Shown(rawValue: "fullScreen")
    /// A modal through which what is below may be seen.
    public static let overFullScreen = Shown(rawValue: "overFullScreen")
    /// An alert.
    public static let alert = Shown(rawValue: "alert")
    /// A sheet of actions.
    public static let actionSheet = Shown(rawValue: "actionSheet")

    /// The name on the wire; a newer server may have others than these.
    public let rawValue: String

    /// A way by its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// True where a modal with a stack of its own begins.
    public var beginsModal: Bool { self != .root && self != .push }
}
