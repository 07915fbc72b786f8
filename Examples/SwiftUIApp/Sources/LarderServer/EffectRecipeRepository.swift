import Combine
import Usher

/// The app's repository on a server: each query is an effect, so that a replay sends no queries.
final class EffectRecipeRepository: RecipeRepository {
    func search(_ query: String) -> AnyPublisher<[Recipe], RecipeError> {
        SearchRecipes(query: query).publisher().mapError { RecipeError(message: $0.message) }.eraseToAnyPublisher()
    }

    func details(ofRecipe id: Int) async throws -> RecipeDetails {
        do {
            return try await LoadDetails(id: id).output()
        } catch let failure as EffectFailure {
            throw RecipeError(message: failure.message)
        }
    }
}

private struct SearchRecipes: Effect {
    let query: String

    static let failures = ["syntax"]

    var examples: [[Recipe]] { [[Recipe(id: 2, name: "Onion soup")], []] }

    func run(_ context: EffectContext<Cookbook>) async throws -> [Recipe] { try context.services.search(query) }
}

private struct LoadDetails: Effect {
    let id: Int

    static let failures = ["unknown"]

    var examples: [RecipeDetails] {
        [RecipeDetails(recipe: Recipe(id: id, name: "Onion soup"), steps: ["Chop", "Fry", "Boil"], minutes: 2)]
    }

    func run(_ context: EffectContext<Cookbook>) async throws -> RecipeDetails {
        try context.services.details(ofRecipe: id)
    }
}
