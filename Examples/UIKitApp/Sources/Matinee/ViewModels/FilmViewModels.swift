import UIKit

@MainActor
final class FilmListViewModel {
    private(set) var films: [Film] = []
    private(set) var failure: String?
    var onSelect: ((Film) -> Void)?
    private let repository: any CinemaRepository

    init(repository: any CinemaRepository) {
        self.repository = repository
    }

    func load() {
        repository.films { [weak self] result in
            switch result {
            case .success(let films): self?.films = films
            case .failure(let error): self?.failure = error.message
            }
        }
    }

    func select(id: Int) {
        guard let film = films.first(where: { $0.id == id }) else { return }
        onSelect?(film)
    }
}

@MainActor
final class FilmDetailViewModel {
    let film: Film
    private(set) var isOnWatchlist = false
    /// The message at the bottom, which disappears after a moment.
    private(set) var banner: String?
    var onBook: (() -> Void)?
    var onShare: (() -> Void)?

    init(film: Film) {
        self.film = film
    }

    func toggleWatchlist() {
        isOnWatchlist.toggle()
        banner = isOnWatchlist ? "On your watchlist" : "No longer on your watchlist"
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { [weak self] in
            MainActor.assumeIsolated { self?.banner = nil }
        }
    }

    func book() {
        onBook?()
    }

    func share() {
        onShare?()
    }
}
