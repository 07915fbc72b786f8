import Usher

/// The end of the sign-up: what was filled in, and a greeting.
struct WelcomeScreen: Screen {
    let name: String
    let job: String
    let station: String

    enum Event: Codable, CaseIterable { case done }
}
