/// A showing of a screen whose events go to its coordinator.
final class CoordinatedScreen<S: Screen, Owner: AnyCoordinator>: TypedScreenInstance<S> {
    /// What an event does; the coordinator is passed in, never captured.
    private var handler: ((Owner, S.Event) throws -> Void)?

    init(_ screen: S, at placement: Placement, _ handler: @escaping (Owner, S.Event) throws -> Void) {
        self.handler = handler
        super.init(screen, at: placement)
    }

    override func run(_ event: S.Event, by owner: AnyCoordinator, in tree: Tree) {
        guard let handler, let owner = owner as? Owner else { return }
        tree.run(answering: self) { try handler(owner, event) }
    }

    override func dropHandler() {
        handler = nil
    }

    override func leave(_ warnings: Warnings) {
        super.leave(warnings)
        handler = nil
    }
}
