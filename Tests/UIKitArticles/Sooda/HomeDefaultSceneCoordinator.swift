import UIKit

final class HomeDefaultSceneCoordinator: NSObject, ChannelShowing {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.homeDefaultScene
    var session = Session()
    var workSpaceId = 0
    private weak var homeDefaultVM: HomeDefaultViewModel?

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        showHomeDefaultView(workSpaceId)
    }

    func open(_ link: ChannelLink) {
        childCoordinators.removeAll()
        navigationController.popToRootViewController(animated: false)
        enter(link.workspaceId)
        showChannelChattingView(channelId: link.id, channelName: link.name)
    }

    func backHome() {
        navigationController.popToRootViewController(animated: true)
    }

    private func showHomeDefaultView(_ workSpaceId: Int) {
        let homeDefaultVM = HomeDefaultViewModel(workSpaceId: workSpaceId)
        homeDefaultVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .presentWorkspaceList: self?.showWorkSpaceListFlow()
            case .presentInviteMember: self?.showInviteMemberView()
            case .presentMakeChannel: self?.showMakeChannelView()
            case .exploreChannels: self?.showExploreChannelFlow()
            case .openChannel(let id, let name): self?.showChannelChattingView(channelId: id, channelName: name)
            case .logOut: self?.finish(AppCoordinator.ChildCoordinatorType.loginScene)
            }
        }
        self.homeDefaultVM = homeDefaultVM
        let vc = HomeDefaultViewController.create(with: homeDefaultVM)
        navigationController.pushViewController(vc, animated: true)
    }

    private func enter(_ workSpaceId: Int) {
        self.workSpaceId = workSpaceId
        homeDefaultVM?.workSpaceId = workSpaceId
    }

    private func showWorkSpaceListFlow() {
        let workspaceList = WorkspaceListCoordinator(UINavigationController())
        workspaceList.session = session
        workspaceList.current = workSpaceId
        workspaceList.finishDelegate = self
        workspaceList.didChoose = { [weak self] id in self?.enter(id) }
        start(workspaceList)
        workspaceList.navigationController.presentationController?.delegate = self
        navigationController.present(workspaceList.navigationController, animated: true)
    }

    private func showInviteMemberView() {
        let inviteMemberVM = InviteMemberViewModel()
        inviteMemberVM.didSendEventClosure = { [weak self] _ in self?.navigationController.dismiss(animated: true) }
        navigationController.present(InviteMemberViewController.create(with: inviteMemberVM), animated: true)
    }

    private func showMakeChannelView() {
        let makeChannelVM = MakeChannelViewModel()
        makeChannelVM.didSendEventClosure = { [weak self] _ in self?.navigationController.dismiss(animated: true) }
        navigationController.present(MakeChannelViewController.create(with: makeChannelVM), animated: true)
    }

    private func showExploreChannelFlow() {
        let explore = ExploreChannelCoordinator(UINavigationController())
        explore.finishDelegate = self
        start(explore)
        explore.navigationController.modalPresentationStyle = .fullScreen
        navigationController.present(explore.navigationController, animated: true)
    }
}

extension HomeDefaultSceneCoordinator: CoordinatorFinishDelegate {
    func coordinatorDidFinish(
        childCoordinator: any Coordinator, nextFlow: (any ChildCoordinatorTypeProtocol)?
    ) {
        removeChild(childCoordinator.type)
        navigationController.dismiss(animated: true)
        if nextFlow != nil { finish(nextFlow) }
    }
}

extension HomeDefaultSceneCoordinator: UIAdaptivePresentationControllerDelegate {
    /// Corrected: the article's coordinator stays when the sheet is pulled down.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        removeChild(.workspaceList)
    }
}
