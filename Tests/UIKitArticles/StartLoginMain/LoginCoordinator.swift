import UIKit

@MainActor
protocol LoginCoordinatorDelegate: AnyObject {
    func didLoggedIn(_ coordinator: LoginCoordinator)
}

final class LoginCoordinator: Coordinator {
    weak var delegate: (any LoginCoordinatorDelegate)?
    var childCoordinator: [any Coordinator] = []
    private(set) weak var viewController: UIViewController?
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let loginViewController = LoginViewController()
        loginViewController.delegate = self
        viewController = loginViewController
        navigationController.pushViewController(loginViewController, animated: true)
    }
}

extension LoginCoordinator: LoginViewControllerDelegate {
    func login() {
        delegate?.didLoggedIn(self)
    }
}

@MainActor
protocol LoginViewControllerDelegate: AnyObject {
    func login()
}

final class LoginViewController: UIViewController {
    weak var delegate: (any LoginViewControllerDelegate)?

    private lazy var loginButton: UIButton = {
        let button = UIButton()
        button.setTitle("login", for: .normal)
        button.addTarget(self, action: LoginViewController.touchLoginButton, for: .touchUpInside)
        return button
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(loginButton)
    }

    private func touchLoginButton() {
        delegate?.login()
    }
}
