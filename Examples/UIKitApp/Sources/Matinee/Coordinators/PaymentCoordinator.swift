import UIKit

final class PaymentCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController: UINavigationController
    var onPaid: ((Ticket) -> Void)?

    private let order: Order
    private let repository: any CinemaRepository

    init(_ navigationController: UINavigationController, order: Order, repository: any CinemaRepository) {
        self.navigationController = navigationController
        self.order = order
        self.repository = repository
    }

    func start() {
        let viewModel = PaymentViewModel(order: order, repository: repository)
        viewModel.onPaid = { [weak self] ticket in self?.didPay(ticket) }
        viewModel.onBack = { [weak self] in self?.finish() }
        navigationController.pushViewController(PaymentViewController(viewModel: viewModel), animated: true)
    }

    private func didPay(_ ticket: Ticket) {
        onPaid?(ticket)
        finish()
    }
}
