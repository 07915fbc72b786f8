import Usher

/// What a guest sees first.
struct OnboardingScreen: Screen {
    enum Event: Codable, CaseIterable { case presentSelectAuth }
}
