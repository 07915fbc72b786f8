import Usher

/// One project, with the ways to its writer.
struct ProjectDetailScreen: Screen {
    let project: Project

    enum Event: Codable, CaseIterable { case showPersonalChat, showLogin, showModifyProject, showDeclaration }
}
