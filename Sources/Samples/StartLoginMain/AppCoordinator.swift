import Usher

/// Sets the window's root; everything else happens below it.
final class AppCoordinator: Coordinator<Never> {
    private let loggedIn: Bool

    init(loggedIn: Bool) {
        self.loggedIn = loggedIn
    }

    override func start() {
        start(StartCoordinator(loggedIn: loggedIn))
    }
}
