import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private(set) var appCoordinator: AppCoordinator?
    private let store = Store()
    private let didStart: (AppCoordinator) -> Void

    init(user: User?, didStart: @escaping (AppCoordinator) -> Void) {
        self.didStart = didStart
        super.init()
        store.user = user
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        let navigationController = UINavigationController()
        navigationController.setNavigationBarHidden(true, animated: false)
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        self.window = window
        let appCoordinator = AppCoordinator(navigationController)
        appCoordinator.store = store
        appCoordinator.start()
        self.appCoordinator = appCoordinator
        didStart(appCoordinator)
    }

    /// Called for a push notification, which leads to a chat: `tudy://chats/1`.
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        guard let url = contexts.first?.url, url.host == "chats", let id = Int(url.lastPathComponent) else { return }
        appCoordinator?.showChat(id)
    }
}

final class AppCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.app
    var store = Store()

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let tabBarCoordinator = TabBarCoordinator(navigationController)
        tabBarCoordinator.store = store
        tabBarCoordinator.finishDelegate = self
        childCoordinators.append(tabBarCoordinator)
        tabBarCoordinator.start()
    }

    func showChat(_ id: Int) {
        childCoordinators.compactMap { $0 as? TabBarCoordinator }.first?.showChat(id)
    }
}

extension AppCoordinator: CoordinatorFinishDelegate {
    /// Called when the user has logged out.
    func coordinatorDidFinish(childCoordinator: any Coordinator) {
        childCoordinators = childCoordinators.filter { $0.type != childCoordinator.type }
        navigationController.viewControllers.removeAll()
        store = Store()
        start()
    }
}
