import Foundation

struct Recipe: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    let name: String
}

struct RecipeDetails: Codable, Equatable, Sendable {
    let recipe: Recipe
    let steps: [String]
    let minutes: Int
}

struct RecipeError: Error, Equatable {
    let message: String
}
