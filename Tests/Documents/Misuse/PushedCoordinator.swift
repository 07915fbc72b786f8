// a coordinator is started, not pushed
import Usher

final class ChildCoordinator: Coordinator<Void> {}

final class ParentCoordinator: Coordinator<Never> {
    override func start() { push(ChildCoordinator()) }
}
