import Usher

/// Shows the splash, and then opens the place where this user continues.
final class SplashCoordinator: Coordinator<Never> {
    private let launch: Launch

    init(launch: Launch) {
        self.launch = launch
    }

    override func start() {
        push(SplashScreen()) { me, event in
            switch event {
            case .done: me.leave()
            }
        }
    }

    private func leave() {
        switch launch {
        case .login: finish(next: AppCoordinator.Flow.login)
        case .home(let workspaceID): finish(next: TabBarCoordinator.Flow.homeDefault(workspaceID: workspaceID))
        case .empty: finish(next: AppCoordinator.Flow.homeEmpty)
        }
    }
}
