import UIKit

@MainActor
protocol HomeCoordinatorDelegate: AnyObject {
    func showPersonalChat(with projectWriter: User)
    func didLogOut()
}

final class HomeCoordinator: NSObject, Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    weak var loginDelegate: (any LoginCheckDelegate)?
    weak var homeDelegate: (any HomeCoordinatorDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.home
    var store = Store()

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let homeViewController = HomeViewController(store: store)
        homeViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .showSearch: self?.pushSearchViewController()
            case .showFastSearch(let work): self?.pushFastSearchViewController(work: work)
            case .showProjectWrite: self?.showProjectWriteViewController()
            case .showProjectDetail(let project): self?.pushProjectDetailViewController(project: project)
            case .showLogin: self?.showLogin()
            case .showMyPage: self?.showMyPage()
            }
        }
        navigationController.delegate = self
        navigationController.pushViewController(homeViewController, animated: true)
    }

    func pushSearchViewController() {
        let searchViewController = SearchViewController(store: store)
        searchViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .showProjectDetail(let project): self?.pushProjectDetailViewController(project: project)
            }
        }
        navigationController.pushViewController(searchViewController, animated: true)
    }

    func pushFastSearchViewController(work: String) {
        let fastSearchViewController = FastSearchViewController(work: work, store: store)
        fastSearchViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .showProjectDetail(let project): self?.pushProjectDetailViewController(project: project)
            }
        }
        navigationController.pushViewController(fastSearchViewController, animated: true)
    }

    func pushProjectDetailViewController(project: Project) {
        let projectDetailViewController = ProjectDetailViewController(project: project, store: store)
        projectDetailViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .showPersonalChat: self?.showPersonalChat(with: project.writer)
            case .showLogin: self?.showLogin()
            case .showModifyProject: self?.showModifyProject(project: project)
            case .showDeclaration: break
            }
        }
        navigationController.pushViewController(projectDetailViewController, animated: true)
    }

    func showProjectWriteViewController() {
        guard store.isLogin else { return showLogin() }
        presentProjectWrite(nil)
    }

    func showModifyProject(project: Project) {
        presentProjectWrite(project)
    }

    func registerProject(viewController: UIViewController) {
        viewController.dismiss(animated: true)
    }

    func updateProject(viewController: UIViewController) {
        viewController.dismiss(animated: true)
        navigationController.popViewController(animated: true)
    }

    func showLogin() {
        loginDelegate?.prepareLoginCoordinator()
    }

    private func showPersonalChat(with writer: User) {
        guard store.isLogin else { return showLogin() }
        homeDelegate?.showPersonalChat(with: writer)
    }

    private func presentProjectWrite(_ project: Project?) {
        let projectWriteViewController = ProjectWriteViewController(project: project)
        projectWriteViewController.didSendEventClosure = { [weak self, weak projectWriteViewController] event in
            guard let self, let projectWriteViewController else { return }
            switch event {
            case .registerProject(let project):
                store.register(project)
                registerProject(viewController: projectWriteViewController)
            case .updateProject(let project):
                store.update(project)
                updateProject(viewController: projectWriteViewController)
            case .close: projectWriteViewController.dismiss(animated: true)
            }
        }
        projectWriteViewController.modalPresentationStyle = .fullScreen
        navigationController.present(projectWriteViewController, animated: true)
    }

    /// Corrected: the article shows the login here.
    private func showMyPage() {
        guard let user = store.user else { return showLogin() }
        let myPageCoordinator = MyPageCoordinator(navigationController)
        myPageCoordinator.user = user
        myPageCoordinator.finishDelegate = self
        childCoordinators.append(myPageCoordinator)
        myPageCoordinator.start()
    }
}

extension HomeCoordinator: CoordinatorFinishDelegate {
    /// Called when the user has logged out on the user's page.
    func coordinatorDidFinish(childCoordinator: any Coordinator) {
        childCoordinators = childCoordinators.filter { $0.type != childCoordinator.type }
        homeDelegate?.didLogOut()
    }
}

extension HomeCoordinator: UINavigationControllerDelegate {
    /// The user may have gone back from the user's page.
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        guard !navigationController.viewControllers.contains(where: { $0 is MyPageViewController }) else { return }
        childCoordinators.removeAll { $0.type == .myPage }
    }
}
