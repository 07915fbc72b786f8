import UIKit

@MainActor
protocol LoginCheckDelegate: AnyObject {
    func prepareLoginCoordinator()
}

enum TabBarPage: Int, CaseIterable {
    case home, chat
}

final class TabBarCoordinator: NSObject, Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.tabBar
    var store = Store()
    private let tabBarController = UITabBarController()

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let controllers = TabBarPage.allCases.map(makeTab)
        tabBarController.setViewControllers(controllers, animated: false)
        tabBarController.selectedIndex = TabBarPage.home.rawValue
        navigationController.viewControllers = [tabBarController]
    }

    func showChat(_ id: Int) {
        guard store.chats.contains(where: { $0.id == id }) else { return }
        tabBarController.dismiss(animated: false)
        childCoordinators.removeAll { $0 is LoginCoordinator }
        tabBarController.selectedIndex = TabBarPage.chat.rawValue
        chatCoordinator?.showChat(id: id)
    }

    private var chatCoordinator: ChatCoordinator? { childCoordinators.compactMap { $0 as? ChatCoordinator }.first }
    private var homeCoordinator: HomeCoordinator? { childCoordinators.compactMap { $0 as? HomeCoordinator }.first }

    private func makeTab(_ page: TabBarPage) -> UINavigationController {
        let navigationController = UINavigationController()
        navigationController.tabBarItem = UITabBarItem(title: "\(page)", image: nil, tag: page.rawValue)
        switch page {
        case .home:
            let homeCoordinator = HomeCoordinator(navigationController)
            homeCoordinator.store = store
            homeCoordinator.finishDelegate = self
            homeCoordinator.loginDelegate = self
            homeCoordinator.homeDelegate = self
            childCoordinators.append(homeCoordinator)
            homeCoordinator.start()
        case .chat:
            let chatCoordinator = ChatCoordinator(navigationController)
            chatCoordinator.store = store
            chatCoordinator.finishDelegate = self
            chatCoordinator.loginDelegate = self
            childCoordinators.append(chatCoordinator)
            chatCoordinator.start()
        }
        return navigationController
    }
}

extension TabBarCoordinator: LoginCheckDelegate {
    func prepareLoginCoordinator() {
        let loginCoordinator = LoginCoordinator(UINavigationController())
        loginCoordinator.store = store
        loginCoordinator.finishDelegate = self
        childCoordinators.append(loginCoordinator)
        loginCoordinator.start()
        loginCoordinator.navigationController.modalPresentationStyle = .fullScreen
        tabBarController.present(loginCoordinator.navigationController, animated: true)
    }
}

extension TabBarCoordinator: HomeCoordinatorDelegate {
    func showPersonalChat(with projectWriter: User) {
        tabBarController.selectedIndex = TabBarPage.chat.rawValue
        chatCoordinator?.showPersonalChat(with: projectWriter)
    }

    func didLogOut() {
        finish()
    }
}

extension TabBarCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(childCoordinator: any Coordinator) {
        childCoordinators = childCoordinators.filter { $0.type != childCoordinator.type }
        if childCoordinator.type == .login { tabBarController.dismiss(animated: true) }
    }
}
