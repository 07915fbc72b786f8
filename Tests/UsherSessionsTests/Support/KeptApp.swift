import Usher

/// An app whose root keeps itself alive.
enum KeptApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { KeptCoordinator() }
}

final class KeptCoordinator: Coordinator<Never> {
    private var itself: KeptCoordinator?

    override func start() {
        itself = self
        push(StepScreen()) { _, _ in }
    }
}
