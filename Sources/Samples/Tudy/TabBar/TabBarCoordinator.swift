import Usher

/// Shows the two tabs, and does their common work: the login, and the way from one tab to the other.
///
/// It finishes when the user logs out.
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
        // The guest is back at the same screen after the login; the interrupted action is not resumed.
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
