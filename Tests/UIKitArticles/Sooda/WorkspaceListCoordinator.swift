import UIKit

final class WorkspaceListCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.workspaceList
    var session = Session()
    var current: Int?
    /// Called with the chosen workspace, unless the result is a flow.
    var didChoose: ((Int) -> Void)?

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let workspaceListVM = WorkspaceListViewModel()
        workspaceListVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .choose(let workspaceID): self?.choose(workspaceID)
            case .askToLeave: self?.askToLeave()
            case .close: self?.finish(nil)
            }
        }
        navigationController.pushViewController(
            WorkspaceListViewController.create(with: workspaceListVM), animated: false)
    }

    private func choose(_ workspaceID: Int) {
        didChoose?(workspaceID)
        finish(nil)
    }

    private func askToLeave() {
        guard let current else { return }
        let alert = UIAlertController(title: "Leave workspace \(current)?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Leave", style: .destructive) { [weak self] _ in self?.leave(current) })
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        navigationController.present(alert, animated: true)
    }

    private func leave(_ workspaceID: Int) {
        session.leave(workspaceID)
        if let next = session.workspaces.first {
            choose(next)
        } else {
            finish(AppCoordinator.ChildCoordinatorType.homeEmptyScene)
        }
    }
}

final class HomeEmptyCoordinator: NSObject, Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.homeEmptyScene
    var session = Session()

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let homeEmptyVM = HomeEmptyViewModel()
        homeEmptyVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .presentMakeWorkspace: self?.showMakeWorkspace()
            case .presentWorkspaceList: self?.showWorkspaceList()
            }
        }
        navigationController.pushViewController(HomeEmptyViewController.create(with: homeEmptyVM), animated: true)
    }

    private func showWorkspaceList() {
        let workspaceList = WorkspaceListCoordinator(UINavigationController())
        workspaceList.session = session
        workspaceList.finishDelegate = self
        workspaceList.didChoose = { [weak self] id in
            self?.navigationController.dismiss(animated: true)
            self?.finish(TabBarCoordinator.ChildCoordinatorType.homeDefaultScene(workspaceId: id))
        }
        start(workspaceList)
        workspaceList.navigationController.presentationController?.delegate = self
        navigationController.present(workspaceList.navigationController, animated: true)
    }
}

extension HomeEmptyCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(
        childCoordinator: any Coordinator, nextFlow: (any ChildCoordinatorTypeProtocol)?
    ) {
        removeChild(childCoordinator.type)
        navigationController.dismiss(animated: true)
        if nextFlow != nil { finish(nextFlow) }
    }
}

extension HomeEmptyCoordinator: UIAdaptivePresentationControllerDelegate {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        removeChild(.workspaceList)
    }
}
