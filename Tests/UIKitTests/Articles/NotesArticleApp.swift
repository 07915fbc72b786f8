import UIKit
import Usher

@testable import NotesArticle

/// The article's app, with screens for its controllers.
enum NotesUIKitApp: App {
    static let screens: [any Screen.Type] = [
        NotesScreens.Main.self, NotesScreens.Detail.self, NotesScreens.Sub.self, NotesScreens.Settings.self,
    ]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let navigationController = UINavigationController()
            window.rootViewController = navigationController
            let coordinator = MainCoordinator(navigationController: navigationController)
            coordinator.start()
            CoordinatorWatch.watch(coordinator)
            return coordinator
        }
    }
}

enum NotesScreens {
    struct Main: Screen, Equatable {
        enum Event: Codable { case showDetail(id: Int), showSettings }

        static let examples: [Event] = [.showDetail(id: 2), .showSettings]

        let notes: [Note]
    }

    struct Detail: Screen, Equatable {
        enum Event: Codable { case close, showSub, showDetail(id: Int) }

        static let examples: [Event] = [.close, .showSub, .showDetail(id: 2)]

        let note: Note
    }

    struct Sub: Screen, Equatable {
        enum Event: Codable, CaseIterable { case close, home }
    }

    struct Settings: Screen, Equatable {
        enum Event: Codable, CaseIterable { case close }
    }
}

extension MainViewController: ScreenController {
    var content: NotesScreens.Main { NotesScreens.Main(notes: viewModel.notes) }

    func handle(_ event: NotesScreens.Main.Event) throws {
        switch event {
        case .showDetail(let id):
            guard let note = viewModel.note(id) else { throw Refusal("there is no note \(id)") }
            viewModel.didSelect(note)
        case .showSettings: viewModel.didTapSettings()
        }
    }
}

extension DetailViewController: ScreenController {
    var content: NotesScreens.Detail { NotesScreens.Detail(note: viewModel.note) }

    func handle(_ event: NotesScreens.Detail.Event) {
        switch event {
        case .close: viewModel.didTapClose()
        case .showSub: viewModel.didTapSub()
        case .showDetail(let id): Note.all.first { $0.id == id }.map(viewModel.didSelect)
        }
    }
}

extension SubViewController: ScreenController {
    var content: NotesScreens.Sub { NotesScreens.Sub() }

    func handle(_ event: NotesScreens.Sub.Event) {
        switch event {
        case .close: viewModel.didTapClose()
        case .home: viewModel.didTapHome()
        }
    }
}

extension SettingsViewController: ScreenController {
    var content: NotesScreens.Settings { NotesScreens.Settings() }

    func handle(_ event: NotesScreens.Settings.Event) {
        switch event {
        case .close: viewModel.didTapClose()
        }
    }
}
