/// A conversation with one user, or in a group.
struct Chat: Codable, Equatable {
    let id: Int
    let group: Bool
    let title: String
    /// The other user; nil in a group.
    let with: User?
}

extension Chat {
    static let withLee = Chat(id: 1, group: false, title: "Lee", with: .lee)
    static let walkers = Chat(id: 2, group: true, title: "Walkers", with: nil)

    /// The chats at the beginning of a session.
    static let all = [withLee, walkers]
}
