/// A notice: what somebody wants to build together with others.
struct Project: Codable, Equatable {
    let id: Int
    let title: String
    let writer: User
}

extension Project {
    static let studyGroup = Project(id: 1, title: "An algorithms study group", writer: .kim)
    static let walkingApp = Project(id: 2, title: "An iOS app for walkers", writer: .lee)

    /// The projects that are there before the session begins.
    static let all = [studyGroup, walkingApp]
}
