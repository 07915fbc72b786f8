import UIKit

/// The login and, added here, the complete sign-up.
final class LoginCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.login
    var store = Store()

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let loginViewController = LoginViewController()
        loginViewController.didSendEventClosure = { [weak self, weak loginViewController] event in
            switch event {
            case .close: self?.finish()
            case .showSignUp: self?.pushSetNameViewController()
            case .login(let name, let password): self?.logIn(name, password, loginViewController)
            }
        }
        navigationController.pushViewController(loginViewController, animated: false)
    }

    private func logIn(_ name: String, _ password: String, _ loginViewController: LoginViewController?) {
        guard store.logIn(name: name, password: password) else {
            loginViewController?.failure = "the name or the password is wrong"
            return
        }
        finish()
    }

    private func pushSetNameViewController() {
        let setNameViewController = SetNameViewController()
        setNameViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .next(let name): self?.pushSetInterestedJobViewController(name)
            }
        }
        navigationController.pushViewController(setNameViewController, animated: true)
    }

    private func pushSetInterestedJobViewController(_ name: String) {
        let setInterestedJobViewController = SetInterestedJobViewController()
        setInterestedJobViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .next(let job): self?.pushSetSubwayViewController(name, job)
            }
        }
        navigationController.pushViewController(setInterestedJobViewController, animated: true)
    }

    private func pushSetSubwayViewController(_ name: String, _ job: String) {
        let setSubwayViewController = SetSubwayViewController()
        setSubwayViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .next(let station): self?.pushWelcomeViewController(name, job, station)
            }
        }
        navigationController.pushViewController(setSubwayViewController, animated: true)
    }

    private func pushWelcomeViewController(_ name: String, _ job: String, _ station: String) {
        let welcomeViewController = WelcomeViewController(name: name, job: job, station: station)
        welcomeViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .done:
                self?.store.user = User(id: 3, name: name)
                self?.finish()
            }
        }
        navigationController.pushViewController(welcomeViewController, animated: true)
    }
}
