import Usher

/// A form for a new channel.
struct MakeChannelScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}
