/// A project for which its writer seeks other people.
struct Project: Codable, Equatable {
    let id: Int
    let title: String
    let writer: User
}

extension Project {
    static let studyGroup = Project(id: 1, title: "An algorithms study group", writer: .kim)
    static let walkingApp = Project(id: 2, title: "An iOS app for walkers", writer: .lee)

    /// The projects at the beginning of a session.
    static let all = [studyGroup, walkingApp]
}
