import UIKit

enum CoordinatorType {
    case app, tabBar, home, chat, login, myPage
}

@MainActor
protocol CoordinatorFinishDelegate: AnyObject {
    func coordinatorDidFinish(childCoordinator: any Coordinator)
}

@MainActor
protocol Coordinator: AnyObject {
    /// Tells the parent that a child has finished.
    var finishDelegate: (any CoordinatorFinishDelegate)? { get set }
    /// Each coordinator has one navigation.
    var navigationController: UINavigationController { get set }
    /// All coordinators below it, mostly one.
    var childCoordinators: [any Coordinator] { get set }
    var type: CoordinatorType { get }

    init(_ navigationController: UINavigationController)

    func start()
    func finish()
}

extension Coordinator {
    func finish() {
        childCoordinators.removeAll()
        finishDelegate?.coordinatorDidFinish(childCoordinator: self)
    }
}

/// A controller tells by a closure what the user wants.
class EventViewController<Event>: UIViewController {
    var didSendEventClosure: ((Event) -> Void)?
}
