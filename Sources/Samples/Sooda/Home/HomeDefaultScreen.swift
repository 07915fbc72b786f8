import Usher

/// The home of a workspace.
struct HomeDefaultScreen: Screen {
    enum Event: Codable {
        case presentWorkspaceList, presentInviteMember, presentMakeChannel, exploreChannels
        case openChannel(id: Int, name: String)
        case logOut
    }
    static let examples: [Event] = [
        .presentWorkspaceList, .presentInviteMember, .presentMakeChannel, .exploreChannels,
        .openChannel(id: 3, name: "dev"), .logOut,
    ]

    var workspaceID: Int
}
