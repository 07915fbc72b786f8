import Usher

/// The main screen, with a button that edits the profile.
struct MainScreen: Screen {
    enum Event: Codable, CaseIterable { case profileEdit }
}
