import UIKit
import Usher

/// The settings.
struct SettingsScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case toggleReminders
        case close
    }

    let wantsReminders: Bool
}

/// On a phone this class has views; here it has a screen.
final class SettingsViewController: UIViewController, ScreenController {
    private let viewModel: SettingsViewModel

    init(viewModel: SettingsViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: SettingsScreen { SettingsScreen(wantsReminders: viewModel.wantsReminders) }

    func handle(_ event: SettingsScreen.Event) {
        switch event {
        case .toggleReminders: viewModel.toggleReminders()
        case .close: viewModel.close()
        }
    }
}
