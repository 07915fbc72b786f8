import Usher

/// The tab with the settings.
final class SettingCoordinator: Coordinator<Never> {
    override func start() {
        push(SettingScreen())
    }
}
