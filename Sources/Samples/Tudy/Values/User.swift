/// A user with an account.
struct User: Codable, Equatable {
    let id: Int
    let name: String
}

extension User {
    static let kim = User(id: 1, name: "Kim")
    static let lee = User(id: 2, name: "Lee")
}
