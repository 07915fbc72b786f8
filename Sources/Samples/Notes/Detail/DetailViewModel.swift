/// The logic of one note: it finds the notes to which the note leads.
final class DetailViewModel {
    private weak var coordinator: (any DetailCoordinating)?
    private let notebook: Notebook

    init(notebook: Notebook, coordinator: any DetailCoordinating) {
        self.notebook = notebook
        self.coordinator = coordinator
    }

    func handle(_ event: DetailScreen.Event) throws {
        switch event {
        case .close: coordinator?.close()
        case .showSub: coordinator?.showSub()
        case .showDetail(let id): coordinator?.showDetail(of: try notebook.note(id))
        }
    }
}
