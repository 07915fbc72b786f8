import Usher

/// Sets the window's root.
final class AppCoordinator: Coordinator<Never> {
    private let loggedIn: Bool

    init(loggedIn: Bool) {
        self.loggedIn = loggedIn
    }

    override func start() {
        start(StartCoordinator(loggedIn: loggedIn))
    }
}
