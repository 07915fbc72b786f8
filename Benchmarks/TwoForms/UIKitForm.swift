import UIKit
import Usher

/// The app as iOS teams write it, with child coordinators, finish delegates and view models.
enum UIKitParcelsApp: App {
    static var name: String { "parcels-uikit" }

    static var screens: [any Screen.Type] {
        [ParcelListScreen.self, ParcelDetailScreen.self, DutyScreen.self, AddressScreen.self]
    }

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let coordinator = TabBarFlow(window: window)
            coordinator.start()
            return coordinator
        }
    }
}

@MainActor
private protocol ParcelFlow: AnyObject {
    var childCoordinators: [any ParcelFlow] { get set }
    func start()
}

@MainActor
private protocol ParcelFlowDelegate: AnyObject {
    func flowDidFinish(_ flow: any ParcelFlow)
}

private final class TabBarFlow: ParcelFlow {
    var childCoordinators: [any ParcelFlow] = []
    private let window: UIWindow
    private let tabBarController = UITabBarController()

    init(window: UIWindow) {
        self.window = window
    }

    func start() {
        let navigations = ["Parcels", "Address"].map { title in
            let navigation = UINavigationController()
            navigation.tabBarItem = UITabBarItem(title: title, image: nil, tag: 0)
            return navigation
        }
        childCoordinators = [ParcelListFlow(navigations[0]), AddressFlow(navigations[1])]
        for child in childCoordinators { child.start() }
        tabBarController.viewControllers = navigations
        window.rootViewController = tabBarController
    }
}

private final class ParcelListFlow: ParcelFlow {
    var childCoordinators: [any ParcelFlow] = []
    private let navigationController: UINavigationController
    private let viewModel = ParcelListViewModel()

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        viewModel.delegate = self
        navigationController.delegate = self
        navigationController.viewControllers = [ParcelListViewController(viewModel: viewModel)]
    }
}

extension ParcelListFlow: ParcelListViewModelDelegate {
    func open(_ id: Int) {
        let detail = ParcelDetailFlow(navigationController, id: id)
        detail.finishDelegate = self
        childCoordinators.append(detail)
        detail.start()
    }
}

extension ParcelListFlow: ParcelFlowDelegate {
    func flowDidFinish(_ flow: any ParcelFlow) {
        childCoordinators.removeAll { $0 === flow }
        navigationController.popViewController(animated: true)
    }
}

extension ParcelListFlow: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        if viewController is ParcelListViewController { childCoordinators.removeAll() }
    }
}

private final class ParcelDetailFlow: ParcelFlow {
    var childCoordinators: [any ParcelFlow] = []
    weak var finishDelegate: (any ParcelFlowDelegate)?
    private let navigationController: UINavigationController
    private let viewModel: ParcelDetailViewModel

    init(_ navigationController: UINavigationController, id: Int) {
        self.navigationController = navigationController
        viewModel = ParcelDetailViewModel(id: id)
    }

    func start() {
        viewModel.delegate = self
        navigationController.pushViewController(ParcelDetailViewController(viewModel: viewModel), animated: true)
    }
}

extension ParcelDetailFlow: ParcelDetailViewModelDelegate {
    func pay() {
        let duty = DutyFlow(presenter: navigationController)
        duty.finishDelegate = self
        childCoordinators.append(duty)
        duty.start()
    }

    func close() { finishDelegate?.flowDidFinish(self) }
}

extension ParcelDetailFlow: ParcelFlowDelegate {
    func flowDidFinish(_ flow: any ParcelFlow) {
        childCoordinators.removeAll { $0 === flow }
        viewModel.isPaid = true
        navigationController.dismiss(animated: true)
    }
}

private final class DutyFlow: ParcelFlow {
    var childCoordinators: [any ParcelFlow] = []
    weak var finishDelegate: (any ParcelFlowDelegate)?
    private let presenter: UIViewController

    init(presenter: UIViewController) {
        self.presenter = presenter
    }

    func start() {
        let controller = DutyViewController()
        controller.onConfirm = { [weak self] in
            guard let self else { return }
            finishDelegate?.flowDidFinish(self)
        }
        let navigation = UINavigationController(rootViewController: controller)
        navigation.modalPresentationStyle = .pageSheet
        presenter.present(navigation, animated: true)
    }
}

private final class AddressFlow: ParcelFlow {
    var childCoordinators: [any ParcelFlow] = []
    private let navigationController: UINavigationController

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        navigationController.viewControllers = [AddressViewController()]
    }
}
