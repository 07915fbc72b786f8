import Usher

/// All projects.
struct ProjectList {
    private(set) var all = Project.all

    func project(_ id: Int) throws -> Project {
        guard let project = all.first(where: { $0.id == id }) else {
            throw Refusal("there is no project \(id); choose a listed project")
        }
        return project
    }

    /// Returns the projects whose title contains a kind of work as a word.
    func matching(_ work: String) -> [Project] {
        all.filter { $0.title.lowercased().split(separator: " ").contains(work.lowercased()[...]) }
    }

    /// Adds a project; adding the same project again has no effect.
    mutating func register(_ project: Project) throws {
        guard let known = all.first(where: { $0.id == project.id }) else { return all.append(project) }
        guard known == project else { throw Refusal("there is a project \(project.id) already; take another id") }
    }

    /// Replaces the project with the same id.
    mutating func update(_ project: Project) {
        all = all.map { $0.id == project.id ? project : $0 }
    }
}
