import Usher

/// The second step of the sign-up: which kind of work is of interest.
struct SetInterestedJobScreen: Screen {
    enum Event: Codable { case next(job: String) }
    static let examples: [Event] = [.next(job: "iOS")]
}
