import Usher

/// Asks the user to confirm leaving a workspace.
struct ConfirmLeaveScreen: Screen {
    enum Event: Codable { case leave(remaining: [Int]), cancel }
    static let examples: [Event] = [.leave(remaining: [12]), .cancel]

    let workspaceID: Int
}
