import Usher

/// The messages of a channel.
struct ChannelChatScreen: Screen {
    enum Event: Codable, CaseIterable { case openSetting }

    let id: Int
    var name: String
}
