import UIKit
import Usher

/// A form for a name and a password.
struct LoginScreen: Screen, Equatable {
    enum Event: Codable {
        case logIn(name: String, password: Secret<String>)
        case signUp
    }

    static let examples: [Event] = [.logIn(name: "kim", password: "popcorn"), .signUp]

    let isBusy: Bool
}

/// On a phone this class has views; here it has a screen.
final class LoginViewController: UIViewController, ScreenController {
    private let viewModel: LoginViewModel

    init(viewModel: LoginViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: LoginScreen { LoginScreen(isBusy: viewModel.isBusy) }

    func handle(_ event: LoginScreen.Event) throws {
        switch event {
        case .logIn(let name, let password): viewModel.logIn(name: name, password: try password.reveal())
        case .signUp: viewModel.signUp()
        }
    }
}
