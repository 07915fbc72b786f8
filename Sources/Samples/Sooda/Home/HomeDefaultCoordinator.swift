import Usher

/// The home of a workspace, which leads to its channels.
final class HomeDefaultCoordinator: Coordinator<Never>, ChannelGuide {
    var chat: Handle<ChannelChatScreen>?
    var setting: Handle<ChannelSettingScreen>?
    private weak var viewModel: HomeDefaultViewModel?
    private let firstWorkspaceID: Int
    private let authentication: Authentication

    init(workspaceID: Int, authentication: Authentication) {
        firstWorkspaceID = workspaceID
        self.authentication = authentication
    }

    override func start() {
        let viewModel = HomeDefaultViewModel(workspaceID: firstWorkspaceID)
        viewModel.didSendEvent = { [weak self] event in self?.handle(event) }
        viewModel.screen = push(HomeDefaultScreen(workspaceID: firstWorkspaceID), keeping: viewModel) {
            viewModel, event in viewModel.receive(event)
        }
        self.viewModel = viewModel
    }

    /// Shows a workspace; does nothing if the workspace is already shown.
    func enter(_ workspaceID: Int) {
        guard workspaceID != viewModel?.workspaceID else { return }
        popToRoot()
        viewModel?.enter(workspaceID)
    }

    func backHome() {
        popToRoot()
    }

    private func handle(_ event: HomeDefaultViewModel.Event) {
        switch event {
        case .listWorkspaces(let current): listWorkspaces(current)
        case .inviteMember: inviteMember()
        case .makeChannel: makeChannel()
        case .exploreChannels: exploreChannels()
        case .openChannel(let id, let name): showChannel(id: id, name: name)
        case .backToOnboarding: logOut()
        }
    }

    private func listWorkspaces(_ current: Int) {
        present(WorkspaceListCoordinator(current: current), as: .sheet) { me, outcome in
            guard case .finished(let workspaceID) = outcome else { return }
            me.enter(workspaceID)
        }
    }

    private func inviteMember() {
        present(InviteMemberScreen(), as: .sheet) { me, event in
            switch event {
            case .done: me.dismiss()
            }
        }
    }

    private func makeChannel() {
        present(MakeChannelScreen(), as: .sheet) { me, event in
            switch event {
            case .done: me.dismiss()
            }
        }
    }

    private func exploreChannels() {
        present(ExploreChannelCoordinator(), as: .fullScreen)
    }

    private func logOut() {
        authentication.signOut()
        finish(next: AppCoordinator.Flow.login)
    }
}
