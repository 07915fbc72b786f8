import Combine
import Foundation

@MainActor
final class RecipeViewModel: ObservableObject {
    enum State: Equatable {
        case loading
        case loaded(RecipeDetails)
        case failed(String)
    }

    @Published private(set) var state = State.loading
    @Published private(set) var isFavourite = false

    var onCook: ((RecipeDetails) -> Void)?

    private let id: Int
    private let repository: any RecipeRepository
    private let favourites: Favourites
    private var loading: Task<Void, Never>?

    init(id: Int, repository: any RecipeRepository, favourites: Favourites) {
        self.id = id
        self.repository = repository
        self.favourites = favourites
        favourites.$ids.map { $0.contains(id) }.assign(to: &$isFavourite)
    }

    func load() {
        state = .loading
        loading?.cancel()
        loading = Task { [weak self, repository, id] in
            let state: State
            do {
                state = .loaded(try await repository.details(ofRecipe: id))
            } catch {
                state = .failed((error as? RecipeError)?.message ?? "Please try again")
            }
            self?.state = state
        }
    }

    func toggleFavourite() {
        favourites.toggle(id)
    }

    func cook() {
        if case .loaded(let details) = state { onCook?(details) }
    }
}
