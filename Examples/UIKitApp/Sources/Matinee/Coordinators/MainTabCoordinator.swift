import UIKit

final class MainTabCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController

    private enum Tab: Int, CaseIterable {
        case films, tickets, profile
    }

    private let tabBarController = UITabBarController()
    private let user: User
    private let repository: any CinemaRepository
    private let userStore: UserStore

    init(
        _ navigationController: UINavigationController, user: User, repository: any CinemaRepository,
        userStore: UserStore
    ) {
        self.navigationController = navigationController
        self.user = user
        self.repository = repository
        self.userStore = userStore
    }

    func start() {
        let controllers = Tab.allCases.map { tab in
            let navigation = UINavigationController()
            navigation.tabBarItem = item(for: tab)
            startCoordinator(for: tab, on: navigation)
            return navigation
        }
        tabBarController.setViewControllers(controllers, animated: false)
        tabBarController.delegate = self
        navigationController.setViewControllers([tabBarController], animated: false)
    }

    func open(_ link: DeepLink) {
        switch link {
        case .film(let id):
            tabBarController.selectedIndex = Tab.films.rawValue
            child(FilmsCoordinator.self)?.open(filmID: id)
        case .ticket(let id):
            child(FilmsCoordinator.self)?.cancelBooking()
            tabBarController.selectedIndex = Tab.tickets.rawValue
            child(TicketsCoordinator.self)?.open(ticketID: id)
        }
    }

    private func item(for tab: Tab) -> UITabBarItem {
        switch tab {
        case .films: UITabBarItem(title: "Films", image: UIImage(systemName: "film"), tag: tab.rawValue)
        case .tickets: UITabBarItem(title: "Tickets", image: UIImage(systemName: "ticket"), tag: tab.rawValue)
        case .profile: UITabBarItem(title: "Profile", image: UIImage(systemName: "person"), tag: tab.rawValue)
        }
    }

    private func startCoordinator(for tab: Tab, on navigation: UINavigationController) {
        switch tab {
        case .films:
            let films = FilmsCoordinator(navigation, user: user, repository: repository)
            films.delegate = self
            startChild(films)
        case .tickets: startChild(TicketsCoordinator(navigation, user: user, repository: repository))
        case .profile: startChild(ProfileCoordinator(navigation, user: user, userStore: userStore))
        }
    }

    private func startChild(_ child: any Coordinator) {
        child.finishDelegate = self
        childCoordinators.append(child)
        child.start()
    }

    private func child<Child: Coordinator>(_ type: Child.Type) -> Child? {
        childCoordinators.compactMap { $0 as? Child }.first
    }
}

extension MainTabCoordinator: FilmsCoordinatorDelegate {
    func filmsCoordinator(_ coordinator: FilmsCoordinator, didBook ticket: Ticket) {
        child(TicketsCoordinator.self)?.add(ticket)
        tabBarController.viewControllers?[Tab.tickets.rawValue].tabBarItem.badgeValue = "1"
    }
}

extension MainTabCoordinator: UITabBarControllerDelegate {
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
        viewController.tabBarItem.badgeValue = nil
    }
}

extension MainTabCoordinator: CoordinatorFinishDelegate {
    /// Called when a tab's coordinator finishes; only the profile's does, when the user logs out.
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        guard coordinator is ProfileCoordinator else { return }
        finish()
    }
}
