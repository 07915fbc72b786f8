import UIKit
import Usher

/// The user who is logged in.
struct ProfileScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case showSettings
        case logOut
    }

    let user: User
}

/// On a phone this class has views; here it has a screen.
final class ProfileViewController: UIViewController, ScreenController {
    private let viewModel: ProfileViewModel

    init(viewModel: ProfileViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    var content: ProfileScreen { ProfileScreen(user: viewModel.user) }

    func handle(_ event: ProfileScreen.Event) {
        switch event {
        case .showSettings: viewModel.showSettings()
        case .logOut: viewModel.logOut()
        }
    }
}
