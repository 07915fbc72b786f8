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
    /// The object to call when this coordinator has finished.
    var finishDelegate: (any CoordinatorFinishDelegate)? { get set }
    /// The coordinator's only navigation controller.
    var navigationController: UINavigationController { get set }
    /// The child coordinators, usually one.
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

/// A controller that calls a closure with the user's choice.
class EventViewController<Event>: UIViewController {
    var didSendEventClosure: ((Event) -> Void)?
}
