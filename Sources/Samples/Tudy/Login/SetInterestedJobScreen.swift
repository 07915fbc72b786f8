import Usher

/// The second step of the sign-up: the kind of work that interests the user.
struct SetInterestedJobScreen: Screen {
    enum Event: Codable { case next(job: String) }
    static let examples: [Event] = [.next(job: "iOS")]
}
