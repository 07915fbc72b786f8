import UIKit

@MainActor
protocol Coordinator: AnyObject {
    var childCoordinators: [any Coordinator] { get set }
    var navigationController: UINavigationController { get set }
    func start()
    func childDidFinish(_ child: (any Coordinator)?)
}

extension Coordinator {
    func childDidFinish(_ child: (any Coordinator)?) {
        for (index, coordinator) in childCoordinators.enumerated() {
            if coordinator === child {
                childCoordinators.remove(at: index)
                break
            }
        }
    }
}

struct Note: Codable, Equatable {
    let id: Int
    let title: String

    static let all = [
        Note(id: 1, title: "Coordinators"), Note(id: 2, title: "View models"), Note(id: 3, title: "Memory"),
    ]
}
