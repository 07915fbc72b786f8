import Usher

/// Shows the settings, until the user closes them or pulls them down.
final class SettingsCoordinator: Coordinator<Void> {
    override func start() {
        push(SettingsScreen(), keeping: SettingsViewModel(coordinator: self)) { $0.handle($1) }
    }
}

extension SettingsCoordinator: SettingsCoordinating {
    func close() {
        finish()
    }
}
