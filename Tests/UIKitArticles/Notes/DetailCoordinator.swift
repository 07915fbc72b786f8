import UIKit

@MainActor
protocol DetailCoordinating: AnyObject {
    func close()
    func showSub()
    func showDetail(of note: Note)
    func didLeave()
}

/// A parent that shows another note, which a note's coordinator does not do itself.
@MainActor
protocol DetailParent: Coordinator {
    func showDetail(of note: Note)
}

final class DetailCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    var navigationController: UINavigationController
    weak var parentCoordinator: (any DetailParent)?
    private let note: Note

    init(navigationController: UINavigationController, note: Note) {
        self.navigationController = navigationController
        self.note = note
    }

    func start() {
        let viewModel = DetailViewModel(note: note, coordinator: self)
        navigationController.pushViewController(DetailViewController(viewModel: viewModel), animated: true)
    }
}

extension DetailCoordinator: DetailCoordinating {
    func close() {
        navigationController.popViewController(animated: true)
    }

    func showSub() {
        let coordinator = SubCoordinator(navigationController: navigationController)
        coordinator.parentCoordinator = self
        childCoordinators.append(coordinator)
        coordinator.start()
    }

    func showDetail(of note: Note) {
        parentCoordinator?.showDetail(of: note)
    }

    /// The lesson of the article: a child that was appended must be removed, even if the user swipes back.
    func didLeave() {
        parentCoordinator?.childDidFinish(self)
    }
}

@MainActor
final class DetailViewModel {
    let note: Note
    private weak var coordinator: (any DetailCoordinating)?

    init(note: Note, coordinator: any DetailCoordinating) {
        self.note = note
        self.coordinator = coordinator
    }

    func didTapClose() { coordinator?.close() }

    func didTapSub() { coordinator?.showSub() }

    func didSelect(_ note: Note) { coordinator?.showDetail(of: note) }

    func didLeave() { coordinator?.didLeave() }
}

final class DetailViewController: UIViewController {
    let viewModel: DetailViewModel

    init(viewModel: DetailViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        if parent == nil { viewModel.didLeave() }
    }
}
