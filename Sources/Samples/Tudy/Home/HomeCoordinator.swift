import Usher

/// Shows the projects, and the form for the user's own projects; its delegates show the login and the chats.
final class HomeCoordinator: Coordinator<Never> {
    weak var loginDelegate: (any LoginCheckDelegate)?
    weak var homeDelegate: (any HomeCoordinatorDelegate)?

    private var user: User? { didSet { home?.update { $0.user = user } } }
    private var projects = ProjectList() { didSet { showProjects() } }
    private var home: Handle<HomeScreen>?
    private var search: Handle<SearchScreen>?
    private var fastSearch: Handle<FastSearchScreen>?

    init(user: User?) {
        self.user = user
    }

    override func start() {
        home = push(HomeScreen(user: user, projects: projects.all)) { me, event in
            switch event {
            case .showSearch: me.showSearch()
            case .showFastSearch(let work): me.showFastSearch(work)
            case .showProjectWrite: try me.showProjectWrite()
            case .showProjectDetail(let project): try me.showDetail(of: project)
            case .showLogin: try me.showLogin()
            case .showMyPage: try me.showMyPage()
            }
        }
    }

    func didLogIn(_ user: User) {
        self.user = user
    }

    private func showProjects() {
        home?.update { $0.projects = projects.all }
        search?.update { $0.projects = projects.all }
        fastSearch?.update { $0.projects = projects.matching($0.work) }
    }

    private func showLogin() throws {
        try loginDelegate?.prepareLogin()
    }

    private func showMyPage() throws {
        guard let user else { return try showLogin() }
        start(MyPageCoordinator(user: user)) { me, outcome in
            guard case .finished = outcome else { return }
            me.homeDelegate?.didLogOut()
        }
    }

    private func showSearch() {
        search = push(SearchScreen(projects: projects.all)) { me, event in
            switch event {
            case .showProjectDetail(let project): try me.showDetail(of: project)
            }
        }
    }

    private func showFastSearch(_ work: String) {
        fastSearch = push(FastSearchScreen(work: work, projects: projects.matching(work))) { me, event in
            switch event {
            case .showProjectDetail(let project): try me.showDetail(of: project)
            }
        }
    }

    private func showDetail(of project: Project) throws {
        let project = try projects.project(project.id)
        push(ProjectDetailScreen(project: project)) { me, event in
            switch event {
            case .showPersonalChat: try me.showPersonalChat(about: project)
            case .showLogin: try me.showLogin()
            case .showModifyProject: try me.showModifyProject(project)
            case .showDeclaration: break
            }
        }
    }

    private func showPersonalChat(about project: Project) throws {
        guard let user else { return try showLogin() }
        guard project.writer.id != user.id else { throw Refusal("this project is your own; chat about someone else's") }
        homeDelegate?.showPersonalChat(with: project.writer)
    }

    private func showProjectWrite() throws {
        guard user != nil else { return try showLogin() }
        present(ProjectWriteScreen(project: nil), as: .fullScreen) { me, event in
            switch event {
            case .registerProject(let project): try me.projects.register(project)
            case .updateProject: throw Refusal("this form is for a new project; send \"registerProject\"")
            case .close: break
            }
            me.dismiss()
        }
    }

    private func showModifyProject(_ project: Project) throws {
        guard project.writer.id == user?.id else {
            throw Refusal("only \(project.writer.name), who wrote this project, can change it")
        }
        present(ProjectWriteScreen(project: project), as: .fullScreen) { me, event in
            switch event {
            case .registerProject: throw Refusal("this form is for project \(project.id); send \"updateProject\"")
            case .updateProject(let changed): try me.update(project, to: changed)
            case .close: me.dismiss()
            }
        }
    }

    private func update(_ project: Project, to changed: Project) throws {
        guard changed.id == project.id, changed.writer == project.writer else {
            throw Refusal("this form changes project \(project.id); keep its id and its writer")
        }
        projects.update(changed)
        // Dismiss the form, and the detail with the outdated project.
        dismiss()
        pop()
    }
}
