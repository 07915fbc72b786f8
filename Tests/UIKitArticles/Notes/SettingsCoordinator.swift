import UIKit

@MainActor
protocol SettingsCoordinating: AnyObject {
    func close()
}

final class SettingsCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    var navigationController: UINavigationController
    weak var parentCoordinator: (any Coordinator)?

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let viewModel = SettingsViewModel(coordinator: self)
        navigationController.pushViewController(SettingsViewController(viewModel: viewModel), animated: false)
    }
}

extension SettingsCoordinator: SettingsCoordinating {
    func close() {
        navigationController.dismiss(animated: true) { [weak self] in self?.parentCoordinator?.childDidFinish(self) }
    }
}

@MainActor
final class SettingsViewModel {
    private weak var coordinator: (any SettingsCoordinating)?

    init(coordinator: any SettingsCoordinating) {
        self.coordinator = coordinator
    }

    func didTapClose() { coordinator?.close() }
}

final class SettingsViewController: UIViewController {
    let viewModel: SettingsViewModel

    init(viewModel: SettingsViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}
