import UIKit

final class SplashCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.splash
    var session = Session()

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let splashVM = SplashViewModel()
        splashVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .done: self?.leave()
            }
        }
        navigationController.pushViewController(SplashViewController.create(with: splashVM), animated: true)
    }

    private func leave() {
        switch session.launch {
        case .login: finish(AppCoordinator.ChildCoordinatorType.loginScene)
        case .home(let id): finish(TabBarCoordinator.ChildCoordinatorType.homeDefaultScene(workspaceId: id))
        case .empty: finish(AppCoordinator.ChildCoordinatorType.homeEmptyScene)
        }
    }
}
