import Combine
import Foundation

@MainActor
final class SearchViewModel: ObservableObject {
    @Published var query = ""
    @Published private(set) var recipes: [Recipe] = []
    @Published private(set) var favourites: Set<Int> = []
    @Published private(set) var failure: String?
    @Published private(set) var isSearching = false

    var onSelect: ((Recipe) -> Void)?
    var onAbout: (() -> Void)?

    init(repository: any RecipeRepository, favourites: Favourites) {
        favourites.$ids.assign(to: &$favourites)
        $query
            .removeDuplicates()
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .handleEvents(receiveOutput: { [weak self] _ in self?.isSearching = true })
            .map { query in
                repository.search(query)
                    .map { Result<[Recipe], RecipeError>.success($0) }
                    .catch { Just(.failure($0)) }
            }
            .switchToLatest()
            .receive(on: DispatchQueue.main)
            .sink { [weak self] in self?.show($0) }
            .store(in: &cancellables)
    }

    func select(_ recipe: Recipe) {
        onSelect?(recipe)
    }

    func showAbout() {
        onAbout?()
    }

    private var cancellables: Set<AnyCancellable> = []

    private func show(_ result: Result<[Recipe], RecipeError>) {
        isSearching = false
        switch result {
        case .success(let recipes): (self.recipes, failure) = (recipes, nil)
        case .failure(let error): failure = error.message
        }
    }
}
