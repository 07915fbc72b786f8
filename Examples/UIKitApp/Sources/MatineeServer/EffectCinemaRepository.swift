import UIKit
import Usher

/// The app's repository on a server, whose requests are effects.
///
/// A session then waits without a thread, and a replay sends no requests.
final class EffectCinemaRepository: CinemaRepository {
    func logIn(name: String, password: String, completion: @escaping Completion<User>) {
        perform(LogIn(name: name, password: Secret(password)), completion)
    }

    func films(completion: @escaping Completion<[Film]>) {
        perform(LoadFilms(), completion)
    }

    func tickets(of user: User, completion: @escaping Completion<[Ticket]>) {
        perform(LoadTickets(user: user), completion)
    }

    func book(_ film: Film, seats: [String], for user: User, completion: @escaping Completion<Ticket>) {
        perform(Book(film: film, seats: seats, user: user), completion)
    }

    func refund(_ ticket: Ticket, of user: User, completion: @escaping Completion<[Ticket]>) {
        perform(Refund(ticket: ticket, user: user), completion)
    }

    private func perform<E: Effect>(_ effect: E, _ completion: @escaping Completion<E.Output>) {
        effect.perform { result in completion(result.mapError { CinemaError(message: $0.message) }) }
    }
}

private struct LogIn: Effect {
    let name: String
    let password: Secret<String>

    var examples: [User] { [User(name: "kim")] }
    static let failures = ["wrongPassword"]

    func run(_ context: EffectContext<Cinema>) async throws -> User {
        try await context.services.logIn(name: name, password: try password.reveal())
    }
}

private struct LoadFilms: Effect {
    var examples: [[Film]] { [[.example]] }

    func run(_ context: EffectContext<Cinema>) async -> [Film] { context.services.films }
}

private struct LoadTickets: Effect {
    let user: User

    var examples: [[Ticket]] { [[], [.example]] }

    func run(_ context: EffectContext<Cinema>) async -> [Ticket] { await context.services.tickets(of: user) }
}

private struct Book: Effect {
    let film: Film
    let seats: [String]
    let user: User

    var examples: [Ticket] { [.example] }
    static let failures = ["taken"]

    func run(_ context: EffectContext<Cinema>) async throws -> Ticket {
        try await context.services.book(film, seats: seats, for: user, key: context.id)
    }
}

private struct Refund: Effect {
    let ticket: Ticket
    let user: User

    var examples: [[Ticket]] { [[]] }

    func run(_ context: EffectContext<Cinema>) async -> [Ticket] {
        await context.services.refund(ticket, of: user)
    }
}

// Responses of the backend that `usher explore` tries.
extension Film {
    fileprivate static let example = Film(id: 2, title: "The Lighthouse Keeper", minutes: 121)
}

extension Ticket {
    fileprivate static let example = Ticket(id: 1, film: .example, seats: ["B2"])
}
