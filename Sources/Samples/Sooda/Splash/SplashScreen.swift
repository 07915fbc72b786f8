import Usher

/// The app's logo during the start.
struct SplashScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}
