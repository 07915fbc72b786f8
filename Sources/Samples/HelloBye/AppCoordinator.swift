import Usher

/// Shows one greeting, and the other when that one is done.
final class AppCoordinator: Coordinator<Never> {
    private let greeting: Bool

    init(greeting: Bool) {
        self.greeting = greeting
    }

    override func start() {
        if greeting { showHello() } else { showBye() }
    }

    private func showHello() {
        replace(with: HelloCoordinator()) { me, _ in me.showBye() }
    }

    private func showBye() {
        replace(with: ByeCoordinator()) { me, _ in me.showHello() }
    }
}
