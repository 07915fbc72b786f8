import Combine
import Foundation

@MainActor
protocol RecipeRepository: AnyObject {
    func search(_ query: String) -> AnyPublisher<[Recipe], RecipeError>
    func details(ofRecipe id: Int) async throws -> RecipeDetails
}

/// A repository for previews, until there is a backend.
final class FakeRecipeRepository: RecipeRepository {
    func search(_ query: String) -> AnyPublisher<[Recipe], RecipeError> {
        Just([Recipe(id: 1, name: "Soup")]).setFailureType(to: RecipeError.self).eraseToAnyPublisher()
    }

    func details(ofRecipe id: Int) async throws -> RecipeDetails {
        RecipeDetails(recipe: Recipe(id: id, name: "Soup"), steps: ["Boil"], minutes: 1)
    }
}
