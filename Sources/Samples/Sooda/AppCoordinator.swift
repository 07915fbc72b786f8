import Usher

/// Sets the window's root, and handles the flows that lead to another root.
final class AppCoordinator: Coordinator<Never> {
    private let launch: Launch
    let authentication: Authentication

    init(launch: Launch) {
        self.launch = launch
        authentication = Authentication(isSignedIn: launch.isSignedIn)
    }

    override func start() {
        replace(with: SplashCoordinator(launch: launch))
    }

    /// Handles the flow to a workspace: it shows a tab bar for the workspace.
    override func childDidFinish(_ child: AnyCoordinator, next: any Codable & Sendable) -> Bool {
        guard case .homeDefault(let workspaceID)? = next as? TabBarCoordinator.Flow else { return false }
        replace(with: TabBarCoordinator(workspaceID: workspaceID, authentication: authentication))
        return true
    }
}
