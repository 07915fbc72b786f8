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

    static let examples = [[Recipe(id: 2, name: "Onion soup")], []]
    static let failures = ["syntax"]

    func run(_ context: EffectContext<Cookbook>) async throws -> [Recipe] { try context.services.search(query) }
}

private struct LoadDetails: Effect {
    let id: Int

    static let examples = [
        RecipeDetails(recipe: Recipe(id: 2, name: "Onion soup"), steps: ["Chop", "Fry", "Boil"], minutes: 2)
    ]
    static let failures = ["unknown"]

    func run(_ context: EffectContext<Cookbook>) async throws -> RecipeDetails {
        try context.services.details(ofRecipe: id)
    }
}
