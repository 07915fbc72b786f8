import Usher

/// A form that renames a channel.
struct EditChannelScreen: Screen {
    enum Event: Codable { case saved(name: String) }
    static let examples: [Event] = [.saved(name: "new")]
}
