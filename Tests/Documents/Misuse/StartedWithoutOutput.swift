// a completion closure requires a Coordinator<Output>
import Usher

final class FirstCoordinator: Coordinator<Void> {}
final class SecondCoordinator: Coordinator<String> {}

final class ChoosingCoordinator: Coordinator<Never> {
    private let isFirst = true

    override func start() {
        let child = isFirst ? FirstCoordinator() : SecondCoordinator()
        start(child) { me, outcome in me.cancel() }
    }
}
