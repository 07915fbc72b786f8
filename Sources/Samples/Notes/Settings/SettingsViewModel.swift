/// The logic of the settings.
final class SettingsViewModel {
    private weak var coordinator: (any SettingsCoordinating)?

    init(coordinator: any SettingsCoordinating) {
        self.coordinator = coordinator
    }

    func handle(_ event: SettingsScreen.Event) {
        switch event {
        case .close: coordinator?.close()
        }
    }
}
