import UIKit
import Usher

// Coordinators without actors, as most were written. On a phone they compile in language mode 5, and so they do here.

/// An app whose coordinators have no actor isolation.
public enum PlainApp: App {
    /// Creates a root with a window.
    public static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let coordinator = TrailsCoordinator(navigationController: UINavigationController())
            window.rootViewController = coordinator.navigationController
            coordinator.start()
            return coordinator
        }
    }
}

class BaseCoordinator: NSObject {
    weak var parentCoordinator: BaseCoordinator?
    var childCoordinators: [BaseCoordinator] = []
    var navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
        super.init()
    }

    func start() {}

    func coordinate(to child: BaseCoordinator) {
        child.parentCoordinator = self
        childCoordinators.append(child)
        child.start()
    }

    func childDidFinish(_ child: BaseCoordinator?) {
        childCoordinators.removeAll { $0 === child }
    }
}

final class TrailsCoordinator: BaseCoordinator {
    override func start() {
        navigationController.delegate = self
        let viewController = TrailsViewController()
        viewController.title = "Trails"
        viewController.navigationItem.rightBarButtonItem = UIBarButtonItem(
            title: "Sort", primaryAction: UIAction { [weak self] _ in self?.showSheet() })
        viewController.onSelect = { [weak self, weak viewController] trail in
            self?.show(trail, from: viewController?.title)
        }
        navigationController.pushViewController(viewController, animated: false)
    }

    private func show(_ trail: String, from title: String?) {
        coordinate(to: TrailCoordinator(trail: trail, navigationController: navigationController))
    }

    private func showSheet() {
        let sheet = UIAlertController(title: "Sort by", message: nil, preferredStyle: .actionSheet)
        sheet.addAction(UIAlertAction(title: "Length", style: .default) { [weak self] _ in self?.sort() })
        sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        navigationController.present(sheet, animated: true)
    }

    private func sort() {
        (navigationController.viewControllers.first as? TrailsViewController)?.trails.sort { $0.count < $1.count }
    }
}

extension TrailsCoordinator: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        let coordinator = navigationController.transitionCoordinator
        guard let from = coordinator?.viewController(forKey: .from) as? TrailViewController else { return }
        if !navigationController.viewControllers.contains(from) { childDidFinish(from.coordinator) }
    }
}

final class TrailCoordinator: BaseCoordinator {
    private let trail: String

    init(trail: String, navigationController: UINavigationController) {
        self.trail = trail
        super.init(navigationController: navigationController)
    }

    override func start() {
        let viewController = TrailViewController()
        viewController.title = trail
        viewController.coordinator = self
        navigationController.pushViewController(viewController, animated: true)
    }
}

final class TrailViewController: UIViewController {
    weak var coordinator: TrailCoordinator?
}

final class TrailsViewController: UIViewController {
    var trails = ["Mountain", "Lake"]
    var onSelect: ((String) -> Void)?
}

struct TrailsScreen: Screen, Equatable {
    enum Event: Codable {
        case select(index: Int)
        case sort
        case shuffle
    }

    static let examples: [Event] = [.select(index: 0), .sort, .shuffle]

    let trails: [String]
}

extension TrailsViewController: ScreenController {
    var content: TrailsScreen { TrailsScreen(trails: trails) }

    func handle(_ event: TrailsScreen.Event) throws {
        switch event {
        case .select(let index): onSelect?(trails[index])
        // The button that the coordinator has added.
        case .sort: try performAction(titled: "Sort")
        case .shuffle: try performAction(titled: "Shuffle")
        }
    }
}
