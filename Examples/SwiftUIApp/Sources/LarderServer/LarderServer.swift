import UIKit
import Usher
import UsherServer

/// The iOS app on a server: `swift run LarderServer serve`.
@main
enum LarderServer: ServerProgram {
    static var apps: [any App.Type] { [LarderApp.self] }
}

/// The app's entry point, which creates the delegates as the system does on a phone.
enum LarderApp: App {
    static var screens: [any Screen.Type] { [KitchenTimerScreen.self, RecipeScreen.self, SearchScreen.self] }

    static var flowHosts: [any FlowHost.Type] { [UIKitCoordinator.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: AppDelegate(), scene: SceneDelegate(repository: EffectRecipeRepository()))
    }

    static func services() -> Cookbook { Cookbook() }
}

/// The backend, which all sessions share.
///
/// A real app has a client of its backend here.
struct Cookbook: Sendable {
    private let recipes = [
        RecipeDetails(recipe: Recipe(id: 1, name: "Leek soup"), steps: ["Chop", "Boil"], minutes: 20),
        RecipeDetails(recipe: Recipe(id: 2, name: "Onion soup"), steps: ["Chop", "Fry", "Boil"], minutes: 2),
        RecipeDetails(recipe: Recipe(id: 3, name: "Plum cake"), steps: ["Mix", "Bake"], minutes: 45),
    ]

    func search(_ query: String) throws -> [Recipe] {
        guard query != "?" else { throw EffectFailure(code: "syntax", message: "Please search for words") }
        return recipes.map(\.recipe).filter { query.isEmpty || $0.name.lowercased().contains(query.lowercased()) }
    }

    func details(ofRecipe id: Int) throws -> RecipeDetails {
        guard let details = recipes.first(where: { $0.recipe.id == id }) else {
            throw EffectFailure(code: "unknown", message: "There is no such recipe")
        }
        return details
    }
}
