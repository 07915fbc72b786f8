import Usher

/// The first screen of a guest.
struct OnboardingScreen: Screen {
    enum Event: Codable, CaseIterable { case presentSelectAuth }
}
