import UIKit
import Usher

/// The user's tickets.
struct TicketListScreen: Screen, Equatable {
    enum Event: Codable {
        case select(id: Int)
    }

    static let examples: [Event] = [.select(id: 1)]

    let tickets: [Ticket]
}

/// On a phone this class has views; here it has a screen.
final class TicketListViewController: UIViewController, ScreenController {
    private let viewModel: TicketListViewModel

    init(viewModel: TicketListViewModel) {
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

    var content: TicketListScreen { TicketListScreen(tickets: viewModel.tickets) }

    func handle(_ event: TicketListScreen.Event) {
        switch event {
        case .select(let id): viewModel.select(id: id)
        }
    }
}
