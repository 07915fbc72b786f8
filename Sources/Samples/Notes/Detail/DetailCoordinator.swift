import Usher

/// Shows one note, until the user closes it or goes back.
final class DetailCoordinator: Coordinator<Void> {
    let note: Note
    private let notebook: Notebook
    private weak var delegate: (any DetailCoordinatorDelegate)?

    init(note: Note, notebook: Notebook, delegate: any DetailCoordinatorDelegate) {
        self.note = note
        self.notebook = notebook
        self.delegate = delegate
    }

    override func start() {
        let viewModel = DetailViewModel(notebook: notebook, coordinator: self)
        push(DetailScreen(note: note), keeping: viewModel) { try $0.handle($1) }
    }
}

extension DetailCoordinator: DetailCoordinating {
    func close() {
        finish()
    }

    func showSub() {
        start(SubCoordinator())
    }

    func showDetail(of note: Note) {
        delegate?.showDetail(of: note)
    }
}
