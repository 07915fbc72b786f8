import UIKit

final class MainCoordinator: Coordinator {
    var childCoordinator: [any Coordinator] = []
    private(set) weak var viewController: UIViewController?
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let mainViewController = MainViewController()
        mainViewController.delegate = self
        viewController = mainViewController
        navigationController.pushViewController(mainViewController, animated: true)
    }
}

extension MainCoordinator: MainViewControllerDelegate {
    func profileEdit() {
        startLoginCoordinator()
    }
}

extension MainCoordinator {
    private func startLoginCoordinator() {
        let loginCoordinator = LoginCoordinator(navigationController: navigationController)
        loginCoordinator.delegate = self
        loginCoordinator.start()
        childCoordinator.append(loginCoordinator)
    }
}

/// Added: in the article, nothing handles the result of this login.
extension MainCoordinator: LoginCoordinatorDelegate {
    func didLoggedIn(_ coordinator: LoginCoordinator) {
        childCoordinator = childCoordinator.filter { $0 !== coordinator }
        navigationController.popViewController(animated: true)
    }
}

@MainActor
protocol MainViewControllerDelegate: AnyObject {
    func profileEdit()
}

final class MainViewController: UIViewController {
    weak var delegate: (any MainViewControllerDelegate)?

    private lazy var profileEditButton: UIButton = {
        let button = UIButton()
        button.setTitle("profileEdit", for: .normal)
        button.addTarget(self, action: MainViewController.touchprofileEditButton, for: .touchUpInside)
        return button
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(profileEditButton)
    }

    private func touchprofileEditButton() {
        delegate?.profileEdit()
    }
}
