import Usher

/// Lets the user choose a workspace, or leave the current one.
///
/// Finishes with the workspace to show; if none remains, opens the home for users without a workspace.
final class WorkspaceListCoordinator: Coordinator<Int> {
    private let current: Int?

    init(current: Int?) {
        self.current = current
    }

    override func start() {
        push(WorkspaceListScreen(current: current)) { me, event in
            switch event {
            case .choose(let workspaceID): me.finish(workspaceID)
            case .askToLeave: try me.askToLeave()
            case .close: me.cancel()
            }
        }
    }

    private func askToLeave() throws {
        guard let current else { throw Refusal("there is no workspace that you can leave") }
        present(ConfirmLeaveScreen(workspaceID: current), as: .alert) { me, event in
            switch event {
            case .leave(let remaining): me.leave(remaining)
            // An alert is dismissed by its answer.
            case .cancel: break
            }
        }
    }

    private func leave(_ remaining: [Int]) {
        if let workspaceID = remaining.first {
            finish(workspaceID)
        } else {
            finish(next: AppCoordinator.Flow.homeEmpty)
        }
    }
}
