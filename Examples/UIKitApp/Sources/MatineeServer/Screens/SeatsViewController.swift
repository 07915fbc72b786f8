import UIKit
import Usher

/// The seats, and the time for which they are held.
struct SeatsScreen: Screen, Equatable {
    enum Event: Codable {
        case toggle(seat: String)
        case pay
        case close
    }

    static let examples: [Event] = [.toggle(seat: "C4"), .pay, .close]

    let film: Film
    let seats: [String]
    let secondsLeft: Int
}

/// On a phone this class has views; here it has a screen.
final class SeatsViewController: UIViewController, ScreenController {
    private let viewModel: SeatsViewModel

    init(viewModel: SeatsViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: SeatsScreen {
        SeatsScreen(film: viewModel.film, seats: viewModel.seats, secondsLeft: viewModel.secondsLeft)
    }

    func handle(_ event: SeatsScreen.Event) {
        switch event {
        case .toggle(let seat): viewModel.toggle(seat)
        case .pay: viewModel.pay()
        case .close: viewModel.close()
        }
    }
}
