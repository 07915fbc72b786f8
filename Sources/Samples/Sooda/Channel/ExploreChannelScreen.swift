import Usher

/// All channels of the workspace.
struct ExploreChannelScreen: Screen {
    enum Event: Codable { case openChannel(id: Int, name: String), close }
    static let examples: [Event] = [.openChannel(id: 3, name: "dev"), .close]
}
