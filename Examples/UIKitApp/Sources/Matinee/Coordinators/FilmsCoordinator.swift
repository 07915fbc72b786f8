import UIKit

@MainActor
protocol FilmsCoordinatorDelegate: AnyObject {
    func filmsCoordinator(_ coordinator: FilmsCoordinator, didBook ticket: Ticket)
}

final class FilmsCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    weak var delegate: (any FilmsCoordinatorDelegate)?
    let navigationController: UINavigationController

    private let user: User
    private let repository: any CinemaRepository

    init(_ navigationController: UINavigationController, user: User, repository: any CinemaRepository) {
        self.navigationController = navigationController
        self.user = user
        self.repository = repository
    }

    func start() {
        let viewModel = FilmListViewModel(repository: repository)
        viewModel.onSelect = { [weak self] film in self?.showDetail(of: film) }
        navigationController.delegate = self
        navigationController.setViewControllers([FilmListViewController(viewModel: viewModel)], animated: false)
    }

    func open(filmID: Int) {
        cancelBooking()
        navigationController.popToRootViewController(animated: false)
        repository.films { [weak self] result in
            guard case .success(let films) = result, let film = films.first(where: { $0.id == filmID }) else { return }
            self?.showDetail(of: film)
        }
    }

    /// Cancels a booking in progress, because the user has opened a link.
    func cancelBooking() {
        childCoordinators.compactMap { $0 as? BookingCoordinator }.first?.finish()
    }

    private func showDetail(of film: Film) {
        let detail = FilmDetailCoordinator(navigationController, film: film)
        detail.finishDelegate = self
        detail.onBook = { [weak self] film in self?.book(film) }
        childCoordinators.append(detail)
        detail.start()
    }

    private func book(_ film: Film) {
        let booking = BookingCoordinator(film: film, user: user, repository: repository)
        booking.finishDelegate = self
        booking.onBooked = { [weak self] ticket in self?.didBook(ticket) }
        childCoordinators.append(booking)
        booking.start()
        booking.navigationController.modalPresentationStyle = .fullScreen
        navigationController.present(booking.navigationController, animated: true)
    }

    private func didBook(_ ticket: Ticket) {
        delegate?.filmsCoordinator(self, didBook: ticket)
    }
}

extension FilmsCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        removeChild(coordinator)
        if coordinator is BookingCoordinator { navigationController.dismiss(animated: true) }
    }
}

extension FilmsCoordinator: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        guard let from = navigationController.transitionCoordinator?.viewController(forKey: .from),
            !navigationController.viewControllers.contains(from), from is FilmDetailViewController
        else { return }
        childCoordinators.removeAll { $0 is FilmDetailCoordinator }
    }
}
