/// A showing of a screen whose events go to a view model, which is kept with it.
final class ModelledScreen<S: Screen, ViewModel: AnyObject>: TypedScreenInstance<S> {
    private var viewModel: ViewModel?
    /// What an event does; the view model is passed in, never captured.
    private var handler: ((ViewModel, S.Event) throws -> Void)?

    init(
        _ screen: S, keeping viewModel: ViewModel, at placement: Placement,
        _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) {
        self.viewModel = viewModel
        self.handler = handler
        super.init(screen, at: placement)
    }

    override var kept: AnyObject? { viewModel }

    override func run(_ event: S.Event, by owner: AnyCoordinator, in tree: Tree) {
        guard let handler, let viewModel else { return }
        tree.run(answering: self) { try handler(viewModel, event) }
    }

    override func dropHandler() {
        handler = nil
    }

    override func leave(_ warnings: Warnings) {
        super.leave(warnings)
        handler = nil
        viewModel = nil
    }
}
