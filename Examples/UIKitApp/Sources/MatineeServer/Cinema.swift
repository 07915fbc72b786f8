import Usher

/// The backend, which all sessions share. A real app has a client of its backend here.
actor Cinema {
    let films = [
        Film(id: 1, title: "Night Train", minutes: 96), Film(id: 2, title: "The Lighthouse Keeper", minutes: 121),
    ]
    private var tickets: [String: [Ticket]] = [:]
    /// The tickets of earlier bookings, by their keys.
    ///
    /// A booking that is repeated after a crash is not made twice.
    private var booked: [String: Ticket] = [:]

    func logIn(name: String, password: String) throws -> User {
        guard !name.isEmpty, password == "popcorn" else {
            throw EffectFailure(code: "wrongPassword", message: "Wrong password")
        }
        return User(name: name)
    }

    func tickets(of user: User) -> [Ticket] { tickets[user.name] ?? [] }

    func book(_ film: Film, seats: [String], for user: User, key: String) throws -> Ticket {
        let key = "\(user.name) \(key)"
        if let ticket = booked[key] { return ticket }
        guard !seats.contains("A1") else { throw EffectFailure(code: "taken", message: "Seat A1 is taken") }
        let ticket = Ticket(id: booked.count + 1, film: film, seats: seats)
        booked[key] = ticket
        tickets[user.name, default: []].append(ticket)
        return ticket
    }

    func refund(_ ticket: Ticket, of user: User) -> [Ticket] {
        tickets[user.name]?.removeAll { $0.id == ticket.id }
        return tickets(of: user)
    }
}
