import Usher

/// The choice of a group for an invitation.
struct InviteScreen: Screen {
    let groups: [Chat]

    enum Event: Codable { case pick(group: Chat), close }
    static let examples: [Event] = [.pick(group: .walkers), .close]
}
