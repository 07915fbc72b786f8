import Usher

/// The tab with direct messages.
final class DMCoordinator: Coordinator<Never> {
    override func start() {
        push(DMListScreen())
    }
}
