import UIKit
import Usher

/// One ticket.
struct TicketDetailScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case refund
        case share
    }

    let ticket: Ticket
}

/// On a phone this class has views; here it has a screen.
final class TicketDetailViewController: UIViewController, ScreenController {
    private let viewModel: TicketDetailViewModel

    init(viewModel: TicketDetailViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: TicketDetailScreen { TicketDetailScreen(ticket: viewModel.ticket) }

    func handle(_ event: TicketDetailScreen.Event) {
        switch event {
        case .refund: viewModel.refund()
        case .share: viewModel.share()
        }
    }
}
