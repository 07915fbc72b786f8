import Usher

/// A form for a project.
struct ProjectWriteScreen: Screen {
    /// The project to change; nil for a new project.
    let project: Project?

    enum Event: Codable {
        case registerProject(project: Project)
        case updateProject(project: Project)
        case close
    }
    static let examples: [Event] = [
        .registerProject(project: .walkingApp), .updateProject(project: .walkingApp), .close,
    ]
}
