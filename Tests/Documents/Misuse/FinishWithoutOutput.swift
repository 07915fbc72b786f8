// finish(_:) takes the output
import Usher

final class EndlessCoordinator: Coordinator<Never> {
    override func start() { finish() }
}
