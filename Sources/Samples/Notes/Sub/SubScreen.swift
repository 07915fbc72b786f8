import Usher

/// A screen below a note, with a way back and a way home.
struct SubScreen: Screen {
    enum Event: Codable, CaseIterable { case close, home }
}
