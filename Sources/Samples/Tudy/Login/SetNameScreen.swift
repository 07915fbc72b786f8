import Usher

/// The first step of the sign-up: what to be called.
struct SetNameScreen: Screen {
    enum Event: Codable { case next(name: String) }
    static let examples: [Event] = [.next(name: "Park")]
}
