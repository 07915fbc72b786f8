import UIKit

final class ProfileCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController

    private let user: User
    private let userStore: UserStore

    init(_ navigationController: UINavigationController, user: User, userStore: UserStore) {
        self.navigationController = navigationController
        self.user = user
        self.userStore = userStore
    }

    func start() {
        let viewModel = ProfileViewModel(user: user)
        viewModel.onSettings = { [weak self] in self?.showSettings() }
        viewModel.onLogOut = { [weak self] in self?.confirmLogOut() }
        navigationController.setViewControllers([ProfileViewController(viewModel: viewModel)], animated: false)
    }

    private func showSettings() {
        // The first mistake: nothing notifies this coordinator when the user pulls the sheet down, so the child stays.
        let settings = SettingsCoordinator(userStore: userStore)
        settings.finishDelegate = self
        childCoordinators.append(settings)
        settings.start()
        navigationController.present(settings.navigationController, animated: true)
    }

    private func confirmLogOut() {
        let alert = UIAlertController(title: "Log out?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(UIAlertAction(title: "Log out", style: .destructive) { [weak self] _ in self?.finish() })
        navigationController.present(alert, animated: true)
    }
}

extension ProfileCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        removeChild(coordinator)
        navigationController.dismiss(animated: true)
    }
}
