import Usher

/// Shows a user his own page, and finishes when he logs out.
final class MyPageCoordinator: Coordinator<Void> {
    private let user: User

    init(user: User) {
        self.user = user
    }

    override func start() {
        push(MyPageScreen(user: user)) { me, event in
            switch event {
            case .logout: me.finish()
            }
        }
    }
}
