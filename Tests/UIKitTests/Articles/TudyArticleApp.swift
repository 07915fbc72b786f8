import UIKit
import Usher

@testable import TudyArticle

/// The article's app, started by its scene delegate.
enum TudyUIKitApp: App {
    struct Options: Codable, Sendable {
        var loggedIn = false
    }

    static let options = Options()
    static let flowHosts: [any FlowHost.Type] = [UIKitCoordinator.self]
    static let screens: [any Screen.Type] = [
        HomeScreen.self, SearchScreen.self, FastSearchScreen.self, ProjectDetailScreen.self, ProjectWriteScreen.self,
        MyPageScreen.self, ChatListScreen.self, PersonalChatScreen.self, InviteScreen.self, GroupChatScreen.self,
        LoginScreen.self, SetNameScreen.self, SetInterestedJobScreen.self, SetSubwayScreen.self, WelcomeScreen.self,
    ]

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator(
            delegate: TudyAppDelegate(),
            scene: SceneDelegate(user: options.loggedIn ? .kim : nil) { CoordinatorWatch.watch($0) })
    }
}

private final class TudyAppDelegate: UIResponder, UIApplicationDelegate {}

struct HomeScreen: Screen, Equatable {
    typealias Event = HomeEvent

    static let examples: [HomeEvent] = [
        .showSearch, .showFastSearch(work: "iOS"), .showProjectWrite, .showProjectDetail(project: .walkingApp),
        .showLogin, .showMyPage,
    ]

    let user: User?
    let projects: [Project]
}

extension HomeViewController: ScreenController {
    var content: HomeScreen { HomeScreen(user: store.user, projects: store.projects) }

    func handle(_ event: HomeEvent) throws {
        if case .showProjectDetail(let project) = event, !store.projects.contains(where: { $0.id == project.id }) {
            throw Refusal("there is no project \(project.id)")
        }
        didSendEventClosure?(event)
    }
}

struct SearchScreen: Screen, Equatable {
    typealias Event = SearchEvent

    static let examples: [SearchEvent] = [.showProjectDetail(project: .walkingApp)]

    let projects: [Project]
}

extension SearchViewController: ScreenController {
    var content: SearchScreen { SearchScreen(projects: store.projects) }

    func handle(_ event: SearchEvent) throws {
        if case .showProjectDetail(let project) = event, !store.projects.contains(where: { $0.id == project.id }) {
            throw Refusal("there is no project \(project.id)")
        }
        didSendEventClosure?(event)
    }
}

struct FastSearchScreen: Screen, Equatable {
    typealias Event = FastSearchEvent

    static let examples: [FastSearchEvent] = [.showProjectDetail(project: .walkingApp)]

    let work: String
    let projects: [Project]
}

extension FastSearchViewController: ScreenController {
    var content: FastSearchScreen { FastSearchScreen(work: work, projects: store.projects(for: work)) }

    func handle(_ event: FastSearchEvent) throws {
        if case .showProjectDetail(let project) = event, !store.projects.contains(where: { $0.id == project.id }) {
            throw Refusal("there is no project \(project.id)")
        }
        didSendEventClosure?(event)
    }
}

struct ProjectDetailScreen: Screen, Equatable {
    typealias Event = ProjectDetailEvent

    let project: Project
}

extension ProjectDetailViewController: ScreenController {
    var content: ProjectDetailScreen { ProjectDetailScreen(project: project) }

    func handle(_ event: ProjectDetailEvent) throws {
        switch event {
        case .showModifyProject where project.writer != store.user:
            throw Refusal("only \(project.writer.name), who wrote this project, can change it")
        case .showPersonalChat where project.writer == store.user:
            throw Refusal("this project is your own; chat about someone else's")
        default: break
        }
        didSendEventClosure?(event)
    }
}

struct ProjectWriteScreen: Screen, Equatable {
    typealias Event = ProjectWriteEvent

    static let examples: [ProjectWriteEvent] = [
        .registerProject(project: .walkingApp), .updateProject(project: .walkingApp), .close,
    ]

    let project: Project?
}

extension ProjectWriteViewController: ScreenController {
    var content: ProjectWriteScreen { ProjectWriteScreen(project: project) }

    func handle(_ event: ProjectWriteEvent) throws {
        switch event {
        case .registerProject where project != nil: throw Refusal("this form is for a change; send \"updateProject\"")
        case .updateProject(let changed) where changed.id != project?.id:
            throw Refusal("this form changes project \(project?.id ?? 0)")
        default: break
        }
        didSendEventClosure?(event)
    }
}

struct MyPageScreen: Screen, Equatable {
    typealias Event = MyPageEvent

    let user: User
}

extension MyPageViewController: ScreenController {
    var content: MyPageScreen { MyPageScreen(user: user) }

    func handle(_ event: MyPageEvent) {
        didSendEventClosure?(event)
    }
}
