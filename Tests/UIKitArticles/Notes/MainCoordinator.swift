import UIKit

@MainActor
protocol MainCoordinating: AnyObject {
    func showDetail(of note: Note)
    func showSettings()
}

final class MainCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []
    var navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let viewModel = MainViewModel(coordinator: self)
        navigationController.pushViewController(MainViewController(viewModel: viewModel), animated: false)
    }
}

extension MainCoordinator: MainCoordinating, DetailParent {
    func showDetail(of note: Note) {
        let coordinator = DetailCoordinator(navigationController: navigationController, note: note)
        coordinator.parentCoordinator = self
        childCoordinators.append(coordinator)
        coordinator.start()
    }

    func showSettings() {
        let coordinator = SettingsCoordinator(navigationController: UINavigationController())
        coordinator.parentCoordinator = self
        childCoordinators.append(coordinator)
        coordinator.start()
        coordinator.navigationController.presentationController?.delegate = self
        navigationController.present(coordinator.navigationController, animated: true)
    }
}

extension MainCoordinator: UIAdaptivePresentationControllerDelegate {
    /// Called when the user has pulled the settings down.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        childDidFinish(childCoordinators.first { $0 is SettingsCoordinator })
    }
}

@MainActor
final class MainViewModel {
    let notes = Note.all
    private weak var coordinator: (any MainCoordinating)?

    init(coordinator: any MainCoordinating) {
        self.coordinator = coordinator
    }

    func note(_ id: Int) -> Note? { notes.first { $0.id == id } }

    func didSelect(_ note: Note) {
        coordinator?.showDetail(of: note)
    }

    func didTapSettings() {
        coordinator?.showSettings()
    }
}

final class MainViewController: UIViewController {
    let viewModel: MainViewModel

    init(viewModel: MainViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}
