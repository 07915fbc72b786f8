import Usher

/// The user's settings.
struct SettingScreen: Screen {}
