import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let repository: any RecipeRepository
    private var appCoordinator: AppCoordinator?

    init(repository: any RecipeRepository) {
        self.repository = repository
        super.init()
    }

    override convenience init() {
        self.init(repository: FakeRecipeRepository())
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        self.window = window
        let appCoordinator = AppCoordinator(window: window, repository: repository)
        self.appCoordinator = appCoordinator
        appCoordinator.start()
        (UIApplication.shared.delegate as? AppDelegate)?.onRecipe = { [weak appCoordinator] id in
            appCoordinator?.showRecipe(id: id)
        }
        open(connectionOptions.urlContexts.first?.url ?? connectionOptions.userActivities.first?.webpageURL)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        open(contexts.first?.url)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        if userActivity.activityType == NSUserActivityTypeBrowsingWeb { open(userActivity.webpageURL) }
    }

    private func open(_ url: URL?) {
        if let url, let recipe = Int(url.lastPathComponent) { appCoordinator?.showRecipe(id: recipe) }
    }
}
