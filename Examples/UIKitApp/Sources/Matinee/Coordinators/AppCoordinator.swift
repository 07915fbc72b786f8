import UIKit

/// Shows the login or the tabs.
final class AppCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController = UINavigationController()

    private let window: UIWindow
    private let repository: any CinemaRepository
    private let userStore = UserStore()
    private var pendingLink: DeepLink?

    init(window: UIWindow, repository: any CinemaRepository) {
        self.window = window
        self.repository = repository
    }

    func start() {
        navigationController.setNavigationBarHidden(true, animated: false)
        // If the bar is hidden, UIKit allows a swipe back only if the app's delegate allows the swipe.
        navigationController.interactivePopGestureRecognizer?.delegate = self
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        if let user = userStore.user {
            showTabs(for: user)
        } else {
            showLogin()
        }
    }

    func open(_ link: DeepLink) {
        guard let tabs = childCoordinators.compactMap({ $0 as? MainTabCoordinator }).first else {
            pendingLink = link
            return
        }
        tabs.open(link)
    }

    private func showLogin() {
        let login = LoginCoordinator(navigationController, repository: repository)
        login.finishDelegate = self
        login.delegate = self
        childCoordinators.append(login)
        login.start()
    }

    private func showTabs(for user: User) {
        let tabs = MainTabCoordinator(navigationController, user: user, repository: repository, userStore: userStore)
        tabs.finishDelegate = self
        childCoordinators.append(tabs)
        tabs.start()
        guard let link = pendingLink else { return }
        pendingLink = nil
        tabs.open(link)
    }
}

extension AppCoordinator: UIGestureRecognizerDelegate {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        navigationController.viewControllers.count > 1
    }
}

extension AppCoordinator: LoginCoordinatorDelegate {
    func loginCoordinator(_ coordinator: LoginCoordinator, didLogIn user: User) {
        userStore.user = user
        coordinator.finish()
    }
}

extension AppCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        removeChild(coordinator)
        switch coordinator {
        case is LoginCoordinator:
            guard let user = userStore.user else { return }
            showTabs(for: user)
        case is MainTabCoordinator:
            userStore.user = nil
            showLogin()
        default:
            break
        }
    }
}
