import UIKit

@MainActor
protocol Coordinator: AnyObject {
    var childCoordinators: [any Coordinator] { get set }
    func start()
}

final class AppCoordinator: Coordinator, ByeCoordinatorDelegate, HelloCoordinatorDelegate {
    // Keeps the children in memory.
    var childCoordinators: [any Coordinator] = []
    private let navigationController: UINavigationController

    var greeting = false

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        if greeting {
            showHelloViewController()
        } else {
            showByeViewController()
        }
    }

    private func showHelloViewController() {
        let coordinator = HelloCoordinator(navigationController: navigationController)
        coordinator.delegate = self
        coordinator.start()
        childCoordinators.append(coordinator)
    }

    private func showByeViewController() {
        let coordinator = ByeCoordinator(navigationController: navigationController)
        coordinator.delegate = self
        coordinator.start()
        childCoordinators.append(coordinator)
    }

    func tapBye(_ coordinator: ByeCoordinator) {
        childCoordinators = childCoordinators.filter { $0 !== coordinator }
        showHelloViewController()
    }

    func tapHello(_ coordinator: HelloCoordinator) {
        childCoordinators = childCoordinators.filter { $0 !== coordinator }
        showByeViewController()
    }
}
