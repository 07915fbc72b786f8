import UIKit

/// A backend for previews and UI tests, which responds after a moment.
final class FakeCinemaRepository: CinemaRepository {
    private static let films = [
        Film(id: 1, title: "Night Train", minutes: 96), Film(id: 2, title: "The Lighthouse Keeper", minutes: 121),
    ]
    private var tickets: [Ticket] = []

    func logIn(name: String, password: String, completion: @escaping Completion<User>) {
        let isKnown = !name.isEmpty && password == "popcorn"
        answer(isKnown ? .success(User(name: name)) : .failure(CinemaError(message: "Wrong password")), completion)
    }

    func films(completion: @escaping Completion<[Film]>) {
        answer(.success(Self.films), completion)
    }

    func tickets(of user: User, completion: @escaping Completion<[Ticket]>) {
        answer(.success(tickets), completion)
    }

    func book(_ film: Film, seats: [String], for user: User, completion: @escaping Completion<Ticket>) {
        let ticket = Ticket(id: tickets.count + 1, film: film, seats: seats)
        tickets.append(ticket)
        answer(.success(ticket), completion)
    }

    func refund(_ ticket: Ticket, of user: User, completion: @escaping Completion<[Ticket]>) {
        tickets.removeAll { $0.id == ticket.id }
        answer(.success(tickets), completion)
    }

    private func answer<Value: Sendable>(
        _ result: Result<Value, CinemaError>, _ completion: @escaping Completion<Value>
    ) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) {
            MainActor.assumeIsolated { completion(result) }
        }
    }
}
