import Usher

/// A greeting with one button.
struct HelloScreen: Screen {
    enum Event: Codable, CaseIterable { case hello }
}
