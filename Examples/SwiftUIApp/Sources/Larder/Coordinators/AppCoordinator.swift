import SwiftUI
import UIKit

final class AppCoordinator: NSObject, Coordinator {
    var childCoordinators: [any Coordinator] = []

    private let window: UIWindow
    private let repository: any RecipeRepository
    private let favourites = Favourites()
    private let navigationController = UINavigationController()

    init(window: UIWindow, repository: any RecipeRepository) {
        self.window = window
        self.repository = repository
    }

    func start() {
        let viewModel = SearchViewModel(repository: repository, favourites: favourites)
        viewModel.onSelect = { [weak self] in self?.showRecipe(id: $0.id) }
        viewModel.onAbout = { [weak self] in self?.showAbout() }
        navigationController.delegate = self
        navigationController.viewControllers = [UIHostingController(rootView: SearchView(viewModel: viewModel))]
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
    }

    func showRecipe(id: Int) {
        navigationController.dismiss(animated: false)
        childCoordinators = []
        navigationController.popToRootViewController(animated: false)
        let recipe = RecipeCoordinator(
            navigationController, id: id, repository: repository, favourites: favourites)
        childCoordinators.append(recipe)
        recipe.start()
    }

    private func showAbout() {
        let about = UIHostingController(rootView: AboutView().tint(.orange))
        about.title = "About"
        about.navigationItem.rightBarButtonItem = UIBarButtonItem(
            systemItem: .done,
            primaryAction: UIAction { [weak self] _ in self?.navigationController.dismiss(animated: true) })
        navigationController.present(UINavigationController(rootViewController: about), animated: true)
    }
}

extension AppCoordinator: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        if navigationController.viewControllers.count == 1 { childCoordinators = [] }
    }
}
