import UIKit
import Usher

/// A completed booking.
struct ConfirmationScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case done
    }

    let ticket: Ticket
}

/// On a phone this class has views; here it has a screen.
final class ConfirmationViewController: UIViewController, ScreenController {
    private let viewModel: ConfirmationViewModel

    init(viewModel: ConfirmationViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: ConfirmationScreen { ConfirmationScreen(ticket: viewModel.ticket) }

    func handle(_ event: ConfirmationScreen.Event) {
        switch event {
        case .done: viewModel.done()
        }
    }
}
