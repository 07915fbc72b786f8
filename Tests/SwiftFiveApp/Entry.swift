import UIKit
import Usher

/// The entry of the app.
public enum SwiftFiveApp: App {
    /// Creates a root with a window.
    public static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let coordinator = AppCoordinator(window: window)
            coordinator.start()
            return coordinator
        }
    }
}

struct LoginScreen: Screen, Equatable {
    enum Event: Codable {
        case login(name: String)
    }

    static let examples: [Event] = [.login(name: "kim")]

    let failure: String?
}

extension LoginViewController: ScreenController {
    var content: LoginScreen { LoginScreen(failure: viewModel.failure) }

    func handle(_ event: LoginScreen.Event) {
        switch event {
        case .login(let name): viewModel.login(name)
        }
    }
}
