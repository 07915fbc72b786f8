import UIKit

@MainActor
protocol Coordinator: AnyObject {
    var childCoordinator: [any Coordinator] { get set }
    /// Added: the controller that the coordinator shows, to find out when the user has gone back from it.
    var viewController: UIViewController? { get }
    func start()
}

extension Coordinator {
    /// Added: removes the coordinators that do not show a controller any more.
    func removeGone(from navigationController: UINavigationController) {
        childCoordinator.removeAll { child in
            guard let shown = child.viewController else { return true }
            return !navigationController.viewControllers.contains(shown)
        }
        for child in childCoordinator { child.removeGone(from: navigationController) }
    }
}

final class AppCoordinator: Coordinator {
    var childCoordinator: [any Coordinator] = []
    var viewController: UIViewController? { navigationController }
    private let navigationController: UINavigationController
    private let window: UIWindow
    private let loggedIn: Bool

    init(window: UIWindow, loggedIn: Bool) {
        let navigationController = UINavigationController()
        navigationController.navigationBar.isHidden = true
        self.navigationController = navigationController
        self.window = window
        self.loggedIn = loggedIn
    }

    func start() {
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        navigationController.delegate = self
        startStartCoordinator()
    }
}

extension AppCoordinator {
    private func startStartCoordinator() {
        let startCoordinator = StartCoordinator(navigationController: navigationController, loggedIn: loggedIn)
        startCoordinator.start()
        childCoordinator.append(startCoordinator)
    }
}

extension AppCoordinator: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        removeGone(from: navigationController)
    }
}
