import Usher

/// A form that invites somebody to the workspace.
struct InviteMemberScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}
