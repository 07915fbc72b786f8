import UIKit

final class StartCoordinator: Coordinator {
    var childCoordinator: [any Coordinator] = []
    private(set) weak var viewController: UIViewController?
    private let navigationController: UINavigationController
    private var loggedIn: Bool

    init(navigationController: UINavigationController, loggedIn: Bool) {
        self.navigationController = navigationController
        self.loggedIn = loggedIn
    }

    func start() {
        let startViewController = StartViewController()
        startViewController.delegate = self
        viewController = startViewController
        navigationController.pushViewController(startViewController, animated: true)
    }
}

extension StartCoordinator: StartViewControllerDelegate {
    func startApp() {
        if loggedIn {
            startMainCoordinator()
        } else {
            startLoginCoordinator()
        }
    }
}

extension StartCoordinator {
    private func startLoginCoordinator() {
        let loginCoordinator = LoginCoordinator(navigationController: navigationController)
        loginCoordinator.delegate = self
        loginCoordinator.start()
        childCoordinator.append(loginCoordinator)
    }

    private func startMainCoordinator() {
        let mainCoordinator = MainCoordinator(navigationController: navigationController)
        mainCoordinator.start()
        childCoordinator.append(mainCoordinator)
    }
}

extension StartCoordinator: LoginCoordinatorDelegate {
    func didLoggedIn(_ coordinator: LoginCoordinator) {
        loggedIn = true
        childCoordinator = childCoordinator.filter { $0 !== coordinator }
        navigationController.popViewController(animated: true)
        startMainCoordinator()
    }
}

@MainActor
protocol StartViewControllerDelegate: AnyObject {
    func startApp()
}

final class StartViewController: UIViewController {
    weak var delegate: (any StartViewControllerDelegate)?

    private lazy var startButton: UIButton = {
        let button = UIButton()
        button.setTitle("startApp", for: .normal)
        button.addTarget(self, action: StartViewController.touchStartButton, for: .touchUpInside)
        return button
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(startButton)
    }

    private func touchStartButton() {
        delegate?.startApp()
    }
}
