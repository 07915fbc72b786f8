import Usher

/// One project, with its writer.
struct ProjectDetailScreen: Screen {
    let project: Project

    enum Event: Codable, CaseIterable { case showPersonalChat, showLogin, showModifyProject, showDeclaration }
}
