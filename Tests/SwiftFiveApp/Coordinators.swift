import Foundation
import UIKit

// An app as iOS teams write it, in language mode 5 and with a package's default settings.

protocol Coordinator: AnyObject {
    var childCoordinators: [Coordinator] { get set }
    var finishDelegate: CoordinatorFinishDelegate? { get set }
    func start()
}

protocol CoordinatorFinishDelegate: AnyObject {
    func coordinatorDidFinish(_ child: Coordinator)
}

extension Coordinator {
    func finish() {
        childCoordinators.removeAll()
        finishDelegate?.coordinatorDidFinish(self)
    }
}

@MainActor
final class AppCoordinator: NSObject, @preconcurrency Coordinator, @preconcurrency CoordinatorFinishDelegate {
    var childCoordinators: [Coordinator] = []
    weak var finishDelegate: CoordinatorFinishDelegate?
    private let window: UIWindow
    private let navigationController = UINavigationController()

    init(window: UIWindow) {
        self.window = window
    }

    func start() {
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        UserDefaults.standard.bool(forKey: "loggedIn") ? showHome() : showLogin()
    }

    func coordinatorDidFinish(_ child: Coordinator) {
        childCoordinators.removeAll { $0 === child }
        showHome()
    }

    private func showLogin() {
        let login = LoginCoordinator(navigationController)
        login.finishDelegate = self
        childCoordinators.append(login)
        login.start()
    }

    private func showHome() {
        let home = HomeViewController(nibName: nil, bundle: nil)
        home.onLogout = { [weak self] in
            UserDefaults.standard.removeObject(forKey: "loggedIn")
            self?.showLogin()
        }
        navigationController.setViewControllers([home], animated: true)
    }
}

@MainActor
final class LoginCoordinator: @preconcurrency Coordinator {
    var childCoordinators: [Coordinator] = []
    weak var finishDelegate: CoordinatorFinishDelegate?
    private let navigationController: UINavigationController

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let login = LoginViewController(viewModel: LoginViewModel())
        login.viewModel.onLogin = { [weak self] in self?.finish() }
        navigationController.setViewControllers([login], animated: false)
    }
}

@MainActor
final class LoginViewModel {
    var failure: String?
    var onLogin: (() -> Void)?

    func login(_ name: String) {
        guard !name.isEmpty else {
            failure = "Who are you?"
            return
        }
        UserDefaults.standard.set(true, forKey: "loggedIn")
        NotificationCenter.default.post(name: Notification.Name("loggedIn"), object: nil)
        onLogin?()
    }
}

final class LoginViewController: UIViewController {
    let viewModel: LoginViewModel

    init(viewModel: LoginViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Login"
        view.backgroundColor = .systemBackground
    }
}

final class HomeViewController: UIViewController {
    var onLogout: (() -> Void)?

    override func viewDidLoad() {
        super.viewDidLoad()
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            title: "Log out", image: nil, primaryAction: UIAction { [weak self] _ in self?.confirm() }, menu: nil)
    }

    private func confirm() {
        let alert = UIAlertController(title: "Log out?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(UIAlertAction(title: "Log out", style: .destructive) { [weak self] _ in self?.onLogout?() })
        present(alert, animated: true)
    }
}
