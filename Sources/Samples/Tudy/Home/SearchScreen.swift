import Usher

/// A search through all projects.
struct SearchScreen: Screen {
    var projects: [Project]

    enum Event: Codable { case showProjectDetail(project: Project) }
    static let examples: [Event] = [.showProjectDetail(project: .walkingApp)]
}
