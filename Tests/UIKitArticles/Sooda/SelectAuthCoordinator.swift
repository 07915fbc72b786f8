import UIKit

final class SelectAuthCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.selectAuth
    var session = Session()

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let selectAuthVM = SelectAuthViewModel()
        selectAuthVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .presentEmailLogin: self?.showEmailLogin()
            case .presentSignUp: self?.showSignUp()
            case .socialLogin(let token): self?.logIn(token, "usher")
            }
        }
        navigationController.pushViewController(SelectAuthViewController.create(with: selectAuthVM), animated: false)
    }

    private func showEmailLogin() {
        let emailLoginVM = EmailLoginViewModel()
        emailLoginVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .logIn(let name, let password): self?.logIn(name, password)
            }
        }
        navigationController.present(EmailLoginViewController.create(with: emailLoginVM), animated: true)
    }

    private func showSignUp() {
        let signUpVM = SignUpViewModel()
        signUpVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .signUp(let name): self?.finish(LoginCoordinator.ChildCoordinatorType.initialWorkspace(name: name))
            }
        }
        navigationController.present(SignUpViewController.create(with: signUpVM), animated: true)
    }

    private func logIn(_ name: String, _ password: String) {
        guard session.logIn(name, password) else { return }
        if let workspaceId = session.workspaces.first {
            finish(TabBarCoordinator.ChildCoordinatorType.homeDefaultScene(workspaceId: workspaceId))
        } else {
            finish(AppCoordinator.ChildCoordinatorType.homeEmptyScene)
        }
    }
}

final class InitialWorkspaceCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.initialWorkspace
    var name = ""

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let initialWorkspaceVM = InitialWorkspaceViewModel()
        initialWorkspaceVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .presentMakeWorkspace: self?.showMakeWorkspace()
            case .later: self?.finish(AppCoordinator.ChildCoordinatorType.homeEmptyScene)
            }
        }
        let controller = InitialWorkspaceViewController.create(with: initialWorkspaceVM)
        navigationController.setViewControllers([controller], animated: true)
    }
}

extension Coordinator {
    /// Shows a form for a new workspace, which leads into the workspace.
    func showMakeWorkspace() {
        let makeWorkspaceVM = MakeWorkspaceViewModel()
        makeWorkspaceVM.didSendEventClosure = { [weak self] event in
            self?.navigationController.dismiss(animated: true)
            switch event {
            case .made(let workspaceID):
                self?.finish(TabBarCoordinator.ChildCoordinatorType.homeDefaultScene(workspaceId: workspaceID))
            case .close: break
            }
        }
        navigationController.present(MakeWorkspaceViewController.create(with: makeWorkspaceVM), animated: true)
    }
}
