import Usher

/// Shows the user's own page, and finishes at the logout.
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
