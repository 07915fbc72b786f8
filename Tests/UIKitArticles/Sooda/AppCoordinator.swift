import UIKit

final class AppCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.app
    var session = Session()
    /// A link that waits for the tabs.
    private var pendingLink: ChannelLink?

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        showSplash()
    }

    func open(_ link: ChannelLink) {
        guard let tabBar = childCoordinators.compactMap({ $0 as? TabBarCoordinator }).first else {
            pendingLink = link
            return
        }
        tabBar.open(link)
    }

    private func showSplash() {
        let splash = SplashCoordinator(navigationController)
        splash.session = session
        splash.finishDelegate = self
        start(splash)
    }

    private func showLogin() {
        let login = LoginCoordinator(navigationController)
        login.session = session
        login.finishDelegate = self
        start(login)
    }

    private func showHomeEmpty() {
        let homeEmpty = HomeEmptyCoordinator(navigationController)
        homeEmpty.session = session
        homeEmpty.finishDelegate = self
        start(homeEmpty)
    }

    private func showTabBar(workspaceId: Int) {
        let tabBar = TabBarCoordinator(navigationController)
        tabBar.session = session
        tabBar.workspaceId = workspaceId
        tabBar.finishDelegate = self
        start(tabBar)
        guard let link = pendingLink else { return }
        pendingLink = nil
        tabBar.open(link)
    }
}

extension AppCoordinator {
    enum ChildCoordinatorType: ChildCoordinatorTypeProtocol {
        case splash
        case loginScene
        case tabBarScene(workspaceId: Int)
        case homeEmptyScene
    }
}

extension AppCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(
        childCoordinator: any Coordinator, nextFlow: (any ChildCoordinatorTypeProtocol)?
    ) {
        childCoordinators = childCoordinators.filter { $0.type != childCoordinator.type }
        navigationController.viewControllers.removeAll()
        if let nextFlow = nextFlow as? ChildCoordinatorType {
            show(nextFlow)
        } else if case .homeDefaultScene(let workspaceId)? = nextFlow as? TabBarCoordinator.ChildCoordinatorType {
            showTabBar(workspaceId: workspaceId)
        } else if nextFlow != nil {
            finish(nextFlow)
        }
    }

    private func show(_ flow: ChildCoordinatorType) {
        switch flow {
        case .splash: showSplash()
        case .loginScene: showLogin()
        case .tabBarScene(let workspaceId): showTabBar(workspaceId: workspaceId)
        case .homeEmptyScene: showHomeEmpty()
        }
    }
}

/// A channel of a workspace: `sooda://workspaces/7/channels/3/dev`.
struct ChannelLink {
    let workspaceId: Int
    let id: Int
    let name: String

    init?(_ url: URL) {
        let parts = url.pathComponents
        guard url.host == "workspaces", parts.count == 5, let workspaceId = Int(parts[1]), let id = Int(parts[3]) else {
            return nil
        }
        (self.workspaceId, self.id, name) = (workspaceId, id, parts[4])
    }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var appCoordinator: AppCoordinator?
    private let session = Session()
    private let didStart: (AppCoordinator) -> Void

    init(launch: Launch, workspaces: [Int], didStart: @escaping (AppCoordinator) -> Void) {
        self.didStart = didStart
        super.init()
        session.launch = launch
        session.workspaces = workspaces
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        let navigationController = UINavigationController()
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        self.window = window
        let appCoordinator = AppCoordinator(navigationController)
        appCoordinator.session = self.session
        appCoordinator.start()
        self.appCoordinator = appCoordinator
        didStart(appCoordinator)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        guard let url = contexts.first?.url, let link = ChannelLink(url) else { return }
        appCoordinator?.open(link)
    }
}
