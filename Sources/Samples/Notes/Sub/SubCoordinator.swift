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

    // Afterwards, this coordinator and the coordinators between it and the root have no screens. The engine therefore
    // ends them, this coordinator first.
    func goHome() {
        popToRoot()
    }
}
