import UIKit

@MainActor
protocol LoginCoordinatorDelegate: AnyObject {
    func loginCoordinator(_ coordinator: LoginCoordinator, didLogIn user: User)
}

final class LoginCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    weak var delegate: (any LoginCoordinatorDelegate)?
    let navigationController: UINavigationController

    private let repository: any CinemaRepository

    init(_ navigationController: UINavigationController, repository: any CinemaRepository) {
        self.navigationController = navigationController
        self.repository = repository
    }

    func start() {
        let viewModel = LoginViewModel(repository: repository)
        viewModel.onLogIn = { [weak self] user in self?.didLogIn(user) }
        viewModel.onFailure = { [weak self] message in self?.showFailure(message) }
        viewModel.onSignUp = { [weak self] in self?.showSignUp() }
        navigationController.delegate = self
        navigationController.setViewControllers([LoginViewController(viewModel: viewModel)], animated: false)
    }

    private func didLogIn(_ user: User) {
        delegate?.loginCoordinator(self, didLogIn: user)
    }

    private func showFailure(_ message: String) {
        let alert = UIAlertController(title: "Login failed", message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        navigationController.present(alert, animated: true)
    }

    private func showSignUp() {
        let signUp = SignUpCoordinator(navigationController)
        signUp.finishDelegate = self
        signUp.onSignUp = { [weak self] user in self?.didLogIn(user) }
        childCoordinators.append(signUp)
        signUp.start()
    }
}

extension LoginCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        removeChild(coordinator)
    }
}

extension LoginCoordinator: UINavigationControllerDelegate {
    /// Removes the sign-up's coordinator if the user has swiped back from the sign-up.
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        guard viewController is LoginViewController else { return }
        childCoordinators.removeAll { $0 is SignUpCoordinator }
    }
}
