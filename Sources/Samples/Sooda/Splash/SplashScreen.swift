import Usher

/// The app's sign while it starts.
struct SplashScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}
