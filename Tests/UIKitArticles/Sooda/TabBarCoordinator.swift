import UIKit

final class TabBarCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.tabBarScene
    var session = Session()
    var workspaceId = 0
    private let tabBarController = UITabBarController()

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let home = HomeDefaultSceneCoordinator(navigation("home"))
        home.session = session
        home.workSpaceId = workspaceId
        let children: [any Coordinator] = [
            home, DMSceneCoordinator(navigation("dm")), SearchSceneCoordinator(navigation("search")),
            SettingSceneCoordinator(navigation("setting")),
        ]
        for child in children {
            child.finishDelegate = self
            childCoordinators.append(child)
            child.start()
        }
        tabBarController.setViewControllers(children.map(\.navigationController), animated: false)
        navigationController.setViewControllers([tabBarController], animated: false)
    }

    func open(_ link: ChannelLink) {
        tabBarController.dismiss(animated: false)
        tabBarController.selectedIndex = 0
        childCoordinators.compactMap { $0 as? HomeDefaultSceneCoordinator }.first?.open(link)
    }

    private func navigation(_ title: String) -> UINavigationController {
        let navigationController = UINavigationController()
        navigationController.tabBarItem = UITabBarItem(title: title, image: nil, tag: 0)
        return navigationController
    }
}

extension TabBarCoordinator {
    enum ChildCoordinatorType: ChildCoordinatorTypeProtocol {
        case homeDefaultScene(workspaceId: Int)
        case dmScene(workspaceID: Int)
        case searchScene, settingScene
    }
}

extension TabBarCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(
        childCoordinator: any Coordinator, nextFlow: (any ChildCoordinatorTypeProtocol)?
    ) {
        // No tab ends alone: all end with the tab bar.
        finish(nextFlow)
    }
}

final class DMSceneCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.dmScene

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        navigationController.pushViewController(DMListViewController(), animated: false)
    }
}

final class SearchSceneCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.searchScene

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        navigationController.pushViewController(SearchViewController(), animated: false)
    }
}

final class SettingSceneCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.settingScene

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        navigationController.pushViewController(SettingViewController(), animated: false)
    }
}
