import UIKit

/// Asks a new user for a name, and then for the code in an email.
final class SignUpCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController
    var onSignUp: ((User) -> Void)?

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let viewModel = NameViewModel()
        viewModel.onNext = { [weak self] name in self?.showCode(for: name) }
        navigationController.pushViewController(NameViewController(viewModel: viewModel), animated: true)
    }

    private func showCode(for name: String) {
        let viewModel = CodeViewModel(name: name)
        viewModel.onConfirm = { [weak self] user in self?.didSignUp(user) }
        navigationController.pushViewController(CodeViewController(viewModel: viewModel), animated: true)
    }

    private func didSignUp(_ user: User) {
        onSignUp?(user)
        finish()
    }
}
