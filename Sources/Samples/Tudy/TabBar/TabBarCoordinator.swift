import Usher

/// Holds the two tabs together, and does for them what is neither's own: the login, and the way from one to the other.
///
/// It ends when the user logs out.
final class TabBarCoordinator: Coordinator<Void> {
    enum Tab: String, CaseIterable { case home, chat }

    private var user: User?

    init(user: User?) {
        self.user = user
    }

    override func start() {
        tabs(Tab.self, selected: .home) { me, tab in
            switch tab {
            case .home: me.makeHome()
            case .chat: me.makeChat()
            }
        }
    }

    /// Goes to a chat that is known by its id.
    func showChat(_ id: Int) throws {
        select(Tab.chat)
        try child(ChatCoordinator.self)?.showChat(id)
    }

    private func makeHome() -> HomeCoordinator {
        let home = HomeCoordinator(user: user)
        home.loginDelegate = self
        home.homeDelegate = self
        return home
    }

    private func makeChat() -> ChatCoordinator {
        let chat = ChatCoordinator()
        chat.loginDelegate = self
        return chat
    }

    private func didLogIn(_ user: User) {
        self.user = user
        child(HomeCoordinator.self)?.didLogIn(user)
    }
}

extension TabBarCoordinator: LoginCheckDelegate {
    func prepareLogin() throws {
        if let user { throw Refusal("\(user.name) is logged in already; log out on my page first") }
        // What the guest was about to do is not resumed after the login: he is back where he was.
        present(LoginCoordinator(), as: .fullScreen) { me, outcome in
            guard case .finished(let user) = outcome else { return }
            me.didLogIn(user)
        }
    }
}

extension TabBarCoordinator: HomeCoordinatorDelegate {
    func showPersonalChat(with writer: User) {
        select(Tab.chat)
        child(ChatCoordinator.self)?.showPersonalChat(with: writer)
    }

    func didLogOut() {
        finish()
    }
}
