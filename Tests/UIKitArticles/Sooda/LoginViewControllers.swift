import UIKit

/// A controller with a view model.
class ViewModelController<ViewModel>: UIViewController {
    let viewModel: ViewModel

    required init(_ viewModel: ViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    static func create(with viewModel: ViewModel) -> Self { Self(viewModel) }
}

@MainActor
final class SplashViewModel {
    enum Event: Codable, CaseIterable {
        case done
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class SplashViewController: ViewModelController<SplashViewModel> {}

@MainActor
final class OnboardingViewModel {
    enum Event: Codable, CaseIterable {
        case presentSelectAuth
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class OnboardingViewController: ViewModelController<OnboardingViewModel> {}

@MainActor
final class SelectAuthViewModel {
    enum Event: Codable {
        case presentEmailLogin
        case presentSignUp
        case socialLogin(token: String)
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class SelectAuthViewController: ViewModelController<SelectAuthViewModel> {}

@MainActor
final class EmailLoginViewModel {
    enum Event: Codable {
        case logIn(name: String, password: String)
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class EmailLoginViewController: ViewModelController<EmailLoginViewModel> {}

@MainActor
final class SignUpViewModel {
    enum Event: Codable {
        case signUp(name: String)
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class SignUpViewController: ViewModelController<SignUpViewModel> {}

@MainActor
final class InitialWorkspaceViewModel {
    enum Event: Codable, CaseIterable {
        case presentMakeWorkspace
        case later
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class InitialWorkspaceViewController: ViewModelController<InitialWorkspaceViewModel> {}

@MainActor
final class MakeWorkspaceViewModel {
    enum Event: Codable {
        case made(workspaceID: Int)
        case close
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class MakeWorkspaceViewController: ViewModelController<MakeWorkspaceViewModel> {}

@MainActor
final class HomeEmptyViewModel {
    enum Event: Codable, CaseIterable {
        case presentMakeWorkspace
        case presentWorkspaceList
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class HomeEmptyViewController: ViewModelController<HomeEmptyViewModel> {}

@MainActor
final class WorkspaceListViewModel {
    enum Event: Codable {
        case choose(workspaceID: Int)
        case askToLeave
        case close
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class WorkspaceListViewController: ViewModelController<WorkspaceListViewModel> {}
