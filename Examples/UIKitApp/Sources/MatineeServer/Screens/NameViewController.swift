import UIKit
import Usher

/// A form for a new user's name.
struct NameScreen: Screen, Equatable {
    enum Event: Codable {
        case next(name: String)
    }

    static let examples: [Event] = [.next(name: "park")]

    let hint: String?
}

/// On a phone this class has views; here it has a screen.
final class NameViewController: UIViewController, ScreenController {
    private let viewModel: NameViewModel

    init(viewModel: NameViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: NameScreen { NameScreen(hint: viewModel.hint) }

    func handle(_ event: NameScreen.Event) {
        switch event {
        case .next(let name): viewModel.next(name)
        }
    }
}
