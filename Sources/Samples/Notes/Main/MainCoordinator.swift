import Usher

/// Shows the list, and starts what it leads to.
final class MainCoordinator: Coordinator<Never> {
    private let notebook = Notebook()
    private weak var viewModel: MainViewModel?

    override func start() {
        let viewModel = MainViewModel(notebook: notebook, coordinator: self)
        viewModel.screen = push(MainScreen(notes: notebook.notes), keeping: viewModel) { try $0.handle($1) }
        self.viewModel = viewModel
    }

    // In the article that this sample follows, this method also removes the child from `childCoordinators`. Here, the
    // engine has already removed the child.
    override func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) {
        guard let detail = child as? DetailCoordinator else { return }
        viewModel?.didRead(detail.note)
    }
}

extension MainCoordinator: MainCoordinating {
    func showDetail(of note: Note) {
        start(DetailCoordinator(note: note, notebook: notebook, delegate: self))
    }

    func showSettings() {
        present(SettingsCoordinator(), as: .sheet)
    }
}

extension MainCoordinator: DetailCoordinatorDelegate {}
