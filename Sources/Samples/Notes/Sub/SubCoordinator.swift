import Usher

/// Shows the lowest screen, from which the user can also go home at once.
final class SubCoordinator: Coordinator<Void> {
    override func start() {
        push(SubScreen(), keeping: SubViewModel(coordinator: self)) { $0.handle($1) }
    }
}

extension SubCoordinator: SubCoordinating {
    func close() {
        finish()
    }

    // Everybody on the way is left without a screen and is ended by the engine, this coordinator first.
    func goHome() {
        popToRoot()
    }
}
