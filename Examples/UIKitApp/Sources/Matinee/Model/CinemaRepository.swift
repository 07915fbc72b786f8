import UIKit

/// The app's access to the cinema's backend; on the phone, it uses the network.
@MainActor
protocol CinemaRepository: AnyObject {
    typealias Completion<Value> = @MainActor (Result<Value, CinemaError>) -> Void

    func logIn(name: String, password: String, completion: @escaping Completion<User>)
    func films(completion: @escaping Completion<[Film]>)
    func tickets(of user: User, completion: @escaping Completion<[Ticket]>)
    func book(_ film: Film, seats: [String], for user: User, completion: @escaping Completion<Ticket>)
    func refund(_ ticket: Ticket, of user: User, completion: @escaping Completion<[Ticket]>)
}

struct CinemaError: Error, Equatable {
    let message: String
}
