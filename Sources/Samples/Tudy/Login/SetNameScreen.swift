import Usher

/// The first step of the sign-up: the user's name.
struct SetNameScreen: Screen {
    enum Event: Codable { case next(name: String) }
    static let examples: [Event] = [.next(name: "Park")]
}
