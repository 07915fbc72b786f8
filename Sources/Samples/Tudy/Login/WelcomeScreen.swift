import Usher

/// The end of the sign-up: a greeting with the user's answers.
struct WelcomeScreen: Screen {
    let name: String
    let job: String
    let station: String

    enum Event: Codable, CaseIterable { case done }
}
