import Usher

/// A farewell with one button.
struct ByeScreen: Screen {
    enum Event: Codable, CaseIterable { case bye }
}
