import Usher

/// The list of projects.
struct HomeScreen: Screen {
    /// The user; nil for a guest.
    var user: User?
    var projects: [Project]

    enum Event: Codable {
        case showSearch
        case showFastSearch(work: String)
        case showProjectWrite
        case showProjectDetail(project: Project)
        case showLogin
        case showMyPage
    }
    static let examples: [Event] = [
        .showSearch, .showFastSearch(work: "iOS"), .showProjectWrite, .showProjectDetail(project: .walkingApp),
        .showLogin, .showMyPage,
    ]
}
