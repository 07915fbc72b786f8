import UIKit

/// Books seats, which are held for a minute, paid, and confirmed.
final class BookingCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    let navigationController = UINavigationController()
    var onBooked: ((Ticket) -> Void)?

    private let film: Film
    private let user: User
    private let repository: any CinemaRepository
    private let hold = SeatHold(seconds: 60)

    init(film: Film, user: User, repository: any CinemaRepository) {
        self.film = film
        self.user = user
        self.repository = repository
    }

    func start() {
        let viewModel = SeatsViewModel(film: film, hold: hold)
        viewModel.onPay = { [weak self] seats in self?.pay(for: seats) }
        viewModel.onClose = { [weak self] in self?.askToClose() }
        hold.onExpire = { [weak self] in self?.showExpiry() }
        navigationController.isModalInPresentation = true
        navigationController.setViewControllers([SeatsViewController(viewModel: viewModel)], animated: false)
        hold.start()
    }

    private func askToClose() {
        let sheet = UIAlertController(title: "Give the seats up?", message: nil, preferredStyle: .actionSheet)
        sheet.addAction(
            UIAlertAction(title: "Give up", style: .destructive) { [weak self] _ in
                self?.hold.cancel()
                self?.finish()
            })
        sheet.addAction(UIAlertAction(title: "Stay", style: .cancel))
        navigationController.present(sheet, animated: true)
    }

    private func showExpiry() {
        let alert = UIAlertController(
            title: "Too late", message: "Your seats are free again.", preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default) { [weak self] _ in self?.finish() })
        navigationController.topViewController?.present(alert, animated: true)
    }

    private func pay(for seats: [String]) {
        let payment = PaymentCoordinator(
            navigationController, order: Order(film: film, seats: seats, user: user), repository: repository)
        payment.finishDelegate = self
        payment.onPaid = { [weak self] ticket in self?.confirm(ticket) }
        childCoordinators.append(payment)
        payment.start()
    }

    private func confirm(_ ticket: Ticket) {
        hold.cancel()
        onBooked?(ticket)
        let viewModel = ConfirmationViewModel(ticket: ticket)
        viewModel.onDone = { [weak self] in self?.finish() }
        navigationController.setViewControllers([ConfirmationViewController(viewModel: viewModel)], animated: true)
    }
}

extension BookingCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(_ coordinator: any Coordinator) {
        removeChild(coordinator)
    }
}
