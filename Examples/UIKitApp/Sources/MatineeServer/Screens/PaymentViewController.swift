import UIKit
import Usher

/// The price to pay.
struct PaymentScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case pay
    }

    let film: Film
    let seats: [String]
    let isBusy: Bool
    let failure: String?
}

/// On a phone this class has views; here it has a screen.
final class PaymentViewController: UIViewController, ScreenController {
    private let viewModel: PaymentViewModel

    init(viewModel: PaymentViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if isMovingFromParent { viewModel.didGoBack() }
    }

    var content: PaymentScreen {
        PaymentScreen(
            film: viewModel.order.film, seats: viewModel.order.seats, isBusy: viewModel.isBusy,
            failure: viewModel.failure)
    }

    func handle(_ event: PaymentScreen.Event) {
        switch event {
        case .pay: viewModel.pay()
        }
    }
}
