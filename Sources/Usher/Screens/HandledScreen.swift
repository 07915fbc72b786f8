/// A showing of a screen with the closure for its events, which is given whoever they go to: the coordinator that shows
/// the screen, or a view model that is kept with it.
final class HandledScreen<S: Screen, Receiver: AnyObject>: TypedScreenInstance<S> {
    /// nil where events go to the coordinator.
    private var viewModel: Receiver?
    /// What an event does; who it goes to is passed in, never captured.
    private var handler: ((Receiver, S.Event) throws -> Void)?

    init(
        _ screen: S, keeping viewModel: Receiver?, at placement: Placement,
        _ handler: @escaping (Receiver, S.Event) throws -> Void
    ) {
        self.viewModel = viewModel
        self.handler = handler
        super.init(screen, at: placement)
    }

    override var kept: AnyObject? { viewModel }

    override func run(_ event: S.Event, by owner: AnyCoordinator, in tree: Tree) {
        guard let handler, let receiver = viewModel ?? owner as? Receiver else { return }
        tree.run(answering: self) { try handler(receiver, event) }
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
