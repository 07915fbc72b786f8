import UIKit

@MainActor
protocol Coordinator: AnyObject {
    var childCoordinators: [any Coordinator] { get set }

    func start()
}
