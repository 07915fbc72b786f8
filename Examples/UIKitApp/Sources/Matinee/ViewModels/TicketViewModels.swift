import UIKit

@MainActor
final class TicketListViewModel {
    private(set) var tickets: [Ticket] = []
    var onSelect: ((Ticket) -> Void)?
    private let user: User
    private let repository: any CinemaRepository

    init(user: User, repository: any CinemaRepository) {
        self.user = user
        self.repository = repository
    }

    func load(then completion: (([Ticket]) -> Void)? = nil) {
        repository.tickets(of: user) { [weak self] result in
            guard case .success(let tickets) = result else { return }
            self?.tickets = tickets
            completion?(tickets)
        }
    }

    func add(_ ticket: Ticket) {
        tickets.append(ticket)
    }

    func replace(with tickets: [Ticket]) {
        self.tickets = tickets
    }

    func select(id: Int) {
        guard let ticket = tickets.first(where: { $0.id == id }) else { return }
        onSelect?(ticket)
    }
}

@MainActor
final class TicketDetailViewModel {
    let ticket: Ticket
    var onRefund: (() -> Void)?
    var onShare: (() -> Void)?

    init(ticket: Ticket) {
        self.ticket = ticket
    }

    func refund() {
        onRefund?()
    }

    func share() {
        onShare?()
    }
}
