import UIKit

final class FilmDetailCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController
    var onBook: ((Film) -> Void)?

    private let film: Film

    init(_ navigationController: UINavigationController, film: Film) {
        self.navigationController = navigationController
        self.film = film
    }

    func start() {
        let viewModel = FilmDetailViewModel(film: film)
        viewModel.onBook = { [weak self] in self?.book() }
        viewModel.onShare = { [weak self] in self?.share() }
        let controller = FilmDetailViewController(viewModel: viewModel)
        controller.hidesBottomBarWhenPushed = true
        navigationController.pushViewController(controller, animated: true)
    }

    private func book() {
        onBook?(film)
    }

    private func share() {
        let sheet = UIActivityViewController(
            activityItems: ["\(film.title): matinee://films/\(film.id)"], applicationActivities: nil)
        navigationController.present(sheet, animated: true)
    }
}
