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
        open(connectionOptions.urlContexts)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        open(contexts)
    }

    private func open(_ contexts: Set<UIOpenURLContext>) {
        guard let url = contexts.first?.url, let recipe = Int(url.lastPathComponent) else { return }
        appCoordinator?.showRecipe(id: recipe)
    }
}
