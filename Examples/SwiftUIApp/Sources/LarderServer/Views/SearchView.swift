import SwiftUI
import Usher

/// A search field, and the recipes that contain its words.
struct SearchScreen: Screen, Equatable {
    enum Event: Codable {
        case type(query: String)
        case select(id: Int)
        case about
    }

    static let examples: [Event] = [.type(query: "soup"), .select(id: 2), .about]

    struct Row: Codable, Equatable {
        let recipe: Recipe
        let isFavourite: Bool
    }

    let query: String
    let rows: [Row]
    let isSearching: Bool
    let failure: String?
}

/// On a phone this structure has a body; here it has a screen.
struct SearchView: ScreenView {
    @ObservedObject var viewModel: SearchViewModel

    var content: SearchScreen {
        SearchScreen(
            query: viewModel.query,
            rows: viewModel.recipes.map {
                SearchScreen.Row(recipe: $0, isFavourite: viewModel.favourites.contains($0.id))
            }, isSearching: viewModel.isSearching, failure: viewModel.failure)
    }

    func handle(_ event: SearchScreen.Event) throws {
        switch event {
        case .type(let query): viewModel.query = query
        case .select(let id):
            guard let recipe = viewModel.recipes.first(where: { $0.id == id }) else {
                throw Refusal("there is no recipe \(id) in the list")
            }
            viewModel.select(recipe)
        case .about: viewModel.showAbout()
        }
    }
}

/// A view of which clients see only the name.
struct AboutView: View {}
