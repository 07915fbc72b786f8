import UIKit

final class LoginCoordinator: NSObject, Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.loginScene
    var session = Session()

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let onboardingVM = OnboardingViewModel()
        onboardingVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .presentSelectAuth: self?.showSelectAuth()
            }
        }
        navigationController.pushViewController(OnboardingViewController.create(with: onboardingVM), animated: true)
    }

    private func showSelectAuth() {
        let selectAuth = SelectAuthCoordinator(UINavigationController())
        selectAuth.session = session
        selectAuth.finishDelegate = self
        start(selectAuth)
        selectAuth.navigationController.presentationController?.delegate = self
        navigationController.present(selectAuth.navigationController, animated: true)
    }

    private func showInitialWorkspace(_ name: String) {
        let initialWorkspace = InitialWorkspaceCoordinator(navigationController)
        initialWorkspace.name = name
        initialWorkspace.finishDelegate = self
        start(initialWorkspace)
    }
}

extension LoginCoordinator {
    enum ChildCoordinatorType: ChildCoordinatorTypeProtocol {
        case initialWorkspace(name: String)
    }
}

extension LoginCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(
        childCoordinator: any Coordinator, nextFlow: (any ChildCoordinatorTypeProtocol)?
    ) {
        removeChild(childCoordinator.type)
        if childCoordinator.type == .selectAuth { navigationController.dismiss(animated: true) }
        if case .initialWorkspace(let name)? = nextFlow as? ChildCoordinatorType {
            showInitialWorkspace(name)
        } else if nextFlow != nil {
            finish(nextFlow)
        }
    }
}

extension LoginCoordinator: UIAdaptivePresentationControllerDelegate {
    /// Corrected: the article's coordinator stays when the sheet is pulled down.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        removeChild(.selectAuth)
    }
}
