import UIKit
import Usher

/// One film.
struct FilmDetailScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case book
        case share
        case toggleWatchlist
    }

    let film: Film
    let isOnWatchlist: Bool
    let banner: String?
}

/// On a phone this class has views; here it has a screen.
final class FilmDetailViewController: UIViewController, ScreenController {
    private let viewModel: FilmDetailViewModel

    init(viewModel: FilmDetailViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: FilmDetailScreen {
        FilmDetailScreen(film: viewModel.film, isOnWatchlist: viewModel.isOnWatchlist, banner: viewModel.banner)
    }

    func handle(_ event: FilmDetailScreen.Event) {
        switch event {
        case .book: viewModel.book()
        case .share: viewModel.share()
        case .toggleWatchlist: viewModel.toggleWatchlist()
        }
    }
}
