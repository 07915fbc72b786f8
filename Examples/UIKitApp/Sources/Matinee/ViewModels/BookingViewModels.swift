import UIKit

@MainActor
final class SeatsViewModel {
    let film: Film
    private(set) var seats: [String] = []
    var onPay: (([String]) -> Void)?
    var onClose: (() -> Void)?
    private let hold: SeatHold

    init(film: Film, hold: SeatHold) {
        self.film = film
        self.hold = hold
    }

    var secondsLeft: Int { hold.secondsLeft }

    func toggle(_ seat: String) {
        if let index = seats.firstIndex(of: seat) {
            seats.remove(at: index)
        } else {
            seats.append(seat)
        }
    }

    func pay() {
        guard !seats.isEmpty else { return }
        onPay?(seats)
    }

    func close() {
        onClose?()
    }
}

@MainActor
final class PaymentViewModel {
    let order: Order
    private(set) var isBusy = false
    private(set) var failure: String?
    var onPaid: ((Ticket) -> Void)?
    var onBack: (() -> Void)?
    private let repository: any CinemaRepository

    init(order: Order, repository: any CinemaRepository) {
        self.order = order
        self.repository = repository
    }

    func pay() {
        guard !isBusy else { return }
        isBusy = true
        failure = nil
        repository.book(order.film, seats: order.seats, for: order.user) { [weak self] result in self?.receive(result) }
    }

    func didGoBack() {
        onBack?()
    }

    private func receive(_ result: Result<Ticket, CinemaError>) {
        isBusy = false
        switch result {
        case .success(let ticket): onPaid?(ticket)
        case .failure(let error): failure = error.message
        }
    }
}

@MainActor
final class ConfirmationViewModel {
    let ticket: Ticket
    var onDone: (() -> Void)?

    init(ticket: Ticket) {
        self.ticket = ticket
    }

    func done() {
        onDone?()
    }
}
