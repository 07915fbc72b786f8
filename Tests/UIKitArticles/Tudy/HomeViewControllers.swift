import UIKit

enum HomeEvent: Codable {
    case showSearch
    case showFastSearch(work: String)
    case showProjectWrite
    case showProjectDetail(project: Project)
    case showLogin
    case showMyPage
}

final class HomeViewController: EventViewController<HomeEvent> {
    let store: Store

    init(store: Store) {
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum SearchEvent: Codable {
    case showProjectDetail(project: Project)
}

final class SearchViewController: EventViewController<SearchEvent> {
    let store: Store

    init(store: Store) {
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum FastSearchEvent: Codable {
    case showProjectDetail(project: Project)
}

final class FastSearchViewController: EventViewController<FastSearchEvent> {
    let work: String
    let store: Store

    init(work: String, store: Store) {
        self.work = work
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum ProjectDetailEvent: Codable, CaseIterable {
    case showPersonalChat
    case showLogin
    case showModifyProject
    case showDeclaration
}

final class ProjectDetailViewController: EventViewController<ProjectDetailEvent> {
    let project: Project
    let store: Store

    init(project: Project, store: Store) {
        self.project = project
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum ProjectWriteEvent: Codable {
    case registerProject(project: Project)
    case updateProject(project: Project)
    case close
}

final class ProjectWriteViewController: EventViewController<ProjectWriteEvent> {
    let project: Project?

    init(project: Project?) {
        self.project = project
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum MyPageEvent: Codable, CaseIterable {
    case logout
}

final class MyPageViewController: EventViewController<MyPageEvent> {
    let user: User

    init(user: User) {
        self.user = user
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}
