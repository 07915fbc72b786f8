import UIKit

final class SettingsCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController = UINavigationController()

    private let userStore: UserStore

    init(userStore: UserStore) {
        self.userStore = userStore
    }

    func start() {
        let viewModel = SettingsViewModel(userStore: userStore)
        viewModel.onClose = { [weak self] in self?.finish() }
        navigationController.setViewControllers([SettingsViewController(viewModel: viewModel)], animated: false)
    }
}
