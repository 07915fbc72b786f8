import Usher

/// The logic of the list: it has the notes, and calls its coordinator for every other screen.
final class MainViewModel {
    private weak var coordinator: (any MainCoordinating)?
    var screen: Handle<MainScreen>?
    private let notebook: Notebook

    init(notebook: Notebook, coordinator: any MainCoordinating) {
        self.notebook = notebook
        self.coordinator = coordinator
    }

    func handle(_ event: MainScreen.Event) throws {
        switch event {
        case .showDetail(let id): coordinator?.showDetail(of: try notebook.note(id))
        case .showSettings: coordinator?.showSettings()
        }
    }

    func didRead(_ note: Note) {
        screen?.update { $0.lastRead = note.id }
    }
}
