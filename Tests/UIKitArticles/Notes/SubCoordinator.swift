import UIKit

@MainActor
protocol SubCoordinating: AnyObject {
    func close()
    func goHome()
    func didLeave()
}

final class SubCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    var navigationController: UINavigationController
    weak var parentCoordinator: (any Coordinator)?

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let viewModel = SubViewModel(coordinator: self)
        navigationController.pushViewController(SubViewController(viewModel: viewModel), animated: true)
    }
}

extension SubCoordinator: SubCoordinating {
    func close() {
        navigationController.popViewController(animated: true)
    }

    func goHome() {
        navigationController.popToRootViewController(animated: true)
    }

    func didLeave() {
        parentCoordinator?.childDidFinish(self)
    }
}

@MainActor
final class SubViewModel {
    private weak var coordinator: (any SubCoordinating)?

    init(coordinator: any SubCoordinating) {
        self.coordinator = coordinator
    }

    func didTapClose() { coordinator?.close() }

    func didTapHome() { coordinator?.goHome() }

    func didLeave() { coordinator?.didLeave() }
}

final class SubViewController: UIViewController {
    let viewModel: SubViewModel

    init(viewModel: SubViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        if parent == nil { viewModel.didLeave() }
    }
}
