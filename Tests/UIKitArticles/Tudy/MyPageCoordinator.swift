import UIKit

final class MyPageCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.myPage
    var user = User.kim

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let myPageViewController = MyPageViewController(user: user)
        myPageViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .logout: self?.finish()
            }
        }
        navigationController.pushViewController(myPageViewController, animated: true)
    }
}
