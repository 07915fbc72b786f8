import UIKit
import Usher

/// The films of the week.
struct FilmListScreen: Screen, Equatable {
    enum Event: Codable {
        case select(id: Int)
    }

    static let examples: [Event] = [.select(id: 2)]

    let films: [Film]
    let failure: String?
}

/// On a phone this class has views; here it has a screen.
final class FilmListViewController: UIViewController, ScreenController {
    private let viewModel: FilmListViewModel

    init(viewModel: FilmListViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        viewModel.load()
    }

    var content: FilmListScreen { FilmListScreen(films: viewModel.films, failure: viewModel.failure) }

    func handle(_ event: FilmListScreen.Event) {
        switch event {
        case .select(let id): viewModel.select(id: id)
        }
    }
}
