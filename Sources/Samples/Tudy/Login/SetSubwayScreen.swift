import Usher

/// The third step of the sign-up: the station near which to meet.
struct SetSubwayScreen: Screen {
    enum Event: Codable { case next(station: String) }
    static let examples: [Event] = [.next(station: "Hongdae")]
}
