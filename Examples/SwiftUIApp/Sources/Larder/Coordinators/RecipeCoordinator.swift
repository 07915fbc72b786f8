import SwiftUI
import UIKit

final class RecipeCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []

    private let navigationController: UINavigationController
    private let viewModel: RecipeViewModel

    init(
        _ navigationController: UINavigationController, id: Int, repository: any RecipeRepository,
        favourites: Favourites
    ) {
        self.navigationController = navigationController
        viewModel = RecipeViewModel(id: id, repository: repository, favourites: favourites)
    }

    func start() {
        viewModel.onCook = { [weak self] in self?.cook($0) }
        viewModel.load()
        let controller = UIHostingController(rootView: RecipeView(viewModel: viewModel))
        navigationController.pushViewController(controller, animated: true)
    }

    private func cook(_ details: RecipeDetails) {
        let timer = KitchenTimerViewModel(minutes: details.minutes)
        timer.onDone = { [weak self] in self?.navigationController.dismiss(animated: true) }
        let view = KitchenTimerView(viewModel: timer, title: details.recipe.name)
        navigationController.present(UIHostingController(rootView: AnyView(view)), animated: true)
    }
}
