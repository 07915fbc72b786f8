import Usher

/// The projects found for a kind of work.
struct FastSearchScreen: Screen {
    let work: String
    var projects: [Project]

    enum Event: Codable { case showProjectDetail(project: Project) }
    static let examples: [Event] = [.showProjectDetail(project: .walkingApp)]
}
