import Usher

extension AppCoordinator: FlowHost {
    enum Flow: Codable, CaseIterable { case splash, login, homeEmpty, tabBar }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .splash: try checkSplash()
        case .login: try logIn()
        case .homeEmpty: try showHomeEmpty()
        case .tabBar: return try tabBar()
        }
        return nil
    }

    private func checkSplash() throws {
        guard child(SplashCoordinator.self) == nil else { return }
        throw Refusal("the splash is shown once, when the app starts; open another place")
    }

    private func logIn() throws {
        guard !authentication.isSignedIn else { throw Refusal("you are signed in already; log out first") }
        replace(with: LoginCoordinator(authentication: authentication))
    }

    private func showHomeEmpty() throws {
        guard authentication.isSignedIn else { throw Later() }
        replace(with: HomeEmptyCoordinator())
    }

    /// The tab bar needs a workspace, so it appears after the user has signed in and chosen one.
    private func tabBar() throws -> TabBarCoordinator {
        guard let tabBar = child(TabBarCoordinator.self) else { throw Later() }
        return tabBar
    }
}
