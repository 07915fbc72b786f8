import UIKit

final class TicketDetailCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController
    var onRefund: (([Ticket]) -> Void)?

    private let ticket: Ticket
    private let user: User
    private let repository: any CinemaRepository

    init(
        _ navigationController: UINavigationController, ticket: Ticket, user: User, repository: any CinemaRepository
    ) {
        self.navigationController = navigationController
        self.ticket = ticket
        self.user = user
        self.repository = repository
    }

    func start() {
        let viewModel = TicketDetailViewModel(ticket: ticket)
        let controller = TicketDetailViewController(viewModel: viewModel)
        viewModel.onRefund = { [weak self] in self?.confirmRefund() }
        viewModel.onShare = {
            // The second mistake, a retain cycle: the controller retains the view model, which retains this closure,
            // which retains the controller.
            controller.present(
                UIActivityViewController(activityItems: [viewModel.ticket.film.title], applicationActivities: nil),
                animated: true)
        }
        navigationController.pushViewController(controller, animated: true)
    }

    private func confirmRefund() {
        let alert = UIAlertController(title: "Give it back?", message: ticket.film.title, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Keep", style: .cancel))
        alert.addAction(
            UIAlertAction(title: "Give back", style: .destructive) { [weak self] _ in self?.refund() })
        navigationController.present(alert, animated: true)
    }

    private func refund() {
        repository.refund(ticket, of: user) { [weak self] result in
            guard let self, case .success(let tickets) = result else { return }
            onRefund?(tickets)
            navigationController.popViewController(animated: true)
            finish()
        }
    }
}
