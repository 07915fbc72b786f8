import Usher

/// Shows hello and bye in turn: when the user has finished one, the other follows.
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
