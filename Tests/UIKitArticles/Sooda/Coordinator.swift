import UIKit

@MainActor
protocol Coordinator: AnyObject {
    var finishDelegate: (any CoordinatorFinishDelegate)? { get set }
    var navigationController: UINavigationController { get set }
    init(_ navigationController: UINavigationController)
    var childCoordinators: [any Coordinator] { get set }
    var type: CoordinatorType { get }
    func start()
    func finish(_ nextFlow: (any ChildCoordinatorTypeProtocol)?)
}

extension Coordinator {
    func finish(_ nextFlow: (any ChildCoordinatorTypeProtocol)?) {
        childCoordinators.removeAll()
        finishDelegate?.coordinatorDidFinish(childCoordinator: self, nextFlow: nextFlow)
    }

    /// Starts a child's flow.
    func start(_ child: some Coordinator & AnyObject) {
        childCoordinators.append(child)
        child.start()
    }

    func removeChild(_ type: CoordinatorType) {
        childCoordinators = childCoordinators.filter { $0.type != type }
    }
}

@MainActor
protocol CoordinatorFinishDelegate: AnyObject {
    func coordinatorDidFinish(
        childCoordinator: any Coordinator, nextFlow: (any ChildCoordinatorTypeProtocol)?)
}

/// The children of a coordinator, which identify the next flow.
protocol ChildCoordinatorTypeProtocol {}

enum CoordinatorType {
    case app
    case splash, loginScene, homeEmptyScene, tabBarScene
    case selectAuth, initialWorkspace
    case homeDefaultScene, dmScene, searchScene, settingScene
    case workspaceList, exploreChannel
}

/// The places that the splash leads to.
enum Launch: Codable, Equatable {
    case login
    case home(workspaceID: Int)
    case empty
}

/// The user who is logged in, and the user's workspaces.
@MainActor
final class Session {
    var launch = Launch.login
    var workspaces: [Int] = []

    /// Kim has a workspace, and Lee has none.
    func logIn(_ name: String, _ password: String) -> Bool {
        guard password == "usher", ["kim", "lee"].contains(name) else { return false }
        workspaces = name == "kim" ? [7] : []
        return true
    }

    func leave(_ workspaceID: Int) {
        workspaces.removeAll { $0 == workspaceID }
    }
}
