import Usher

/// The logic of the home: it has the current workspace, and reports the user's choices to the coordinator.
final class HomeDefaultViewModel {
    enum Event {
        case listWorkspaces(current: Int), inviteMember, makeChannel, exploreChannels
        case openChannel(id: Int, name: String)
        case backToOnboarding
    }

    var didSendEvent: ((Event) -> Void)?
    var screen: Handle<HomeDefaultScreen>?
    private(set) var workspaceID: Int

    init(workspaceID: Int) {
        self.workspaceID = workspaceID
    }

    func receive(_ event: HomeDefaultScreen.Event) {
        switch event {
        case .presentWorkspaceList: didSendEvent?(.listWorkspaces(current: workspaceID))
        case .presentInviteMember: didSendEvent?(.inviteMember)
        case .presentMakeChannel: didSendEvent?(.makeChannel)
        case .exploreChannels: didSendEvent?(.exploreChannels)
        case .openChannel(let id, let name): didSendEvent?(.openChannel(id: id, name: name))
        case .logOut: didSendEvent?(.backToOnboarding)
        }
    }

    func enter(_ workspaceID: Int) {
        self.workspaceID = workspaceID
        screen?.update { $0.workspaceID = workspaceID }
    }
}
