import UIKit

final class TicketsCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController

    private let user: User
    private let repository: any CinemaRepository
    private let viewModel: TicketListViewModel

    init(_ navigationController: UINavigationController, user: User, repository: any CinemaRepository) {
        self.navigationController = navigationController
        self.user = user
        self.repository = repository
        viewModel = TicketListViewModel(user: user, repository: repository)
    }

    func start() {
        viewModel.onSelect = { [weak self] ticket in self?.showDetail(of: ticket) }
        navigationController.delegate = self
        navigationController.setViewControllers([TicketListViewController(viewModel: viewModel)], animated: false)
    }

    func add(_ ticket: Ticket) {
        viewModel.add(ticket)
    }

    func open(ticketID: Int) {
        navigationController.popToRootViewController(animated: false)
        viewModel.load { [weak self] tickets in
            guard let ticket = tickets.first(where: { $0.id == ticketID }) else { return }
            self?.showDetail(of: ticket)
        }
    }

    private func showDetail(of ticket: Ticket) {
        let detail = TicketDetailCoordinator(navigationController, ticket: ticket, user: user, repository: repository)
        detail.finishDelegate = self
        detail.onRefund = { [weak self] tickets in self?.viewModel.replace(with: tickets) }
        childCoordinators.append(detail)
        detail.start()
    }
}

extension TicketsCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        removeChild(coordinator)
    }
}

extension TicketsCoordinator: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        guard viewController is TicketListViewController else { return }
        childCoordinators.removeAll()
    }
}
