import UIKit
import Usher

/// A form for the code in an email.
struct CodeScreen: Screen, Equatable {
    enum Event: Codable {
        case confirm(code: String)
    }

    static let examples: [Event] = [.confirm(code: "1234")]

    let name: String
    let hint: String?
}

/// On a phone this class has views; here it has a screen.
final class CodeViewController: UIViewController, ScreenController {
    private let viewModel: CodeViewModel

    init(viewModel: CodeViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: CodeScreen { CodeScreen(name: viewModel.name, hint: viewModel.hint) }

    func handle(_ event: CodeScreen.Event) {
        switch event {
        case .confirm(let code): viewModel.confirm(code)
        }
    }
}
