import Usher

/// The settings, as a sheet.
struct SettingsScreen: Screen {
    enum Event: Codable, CaseIterable { case close }
}
