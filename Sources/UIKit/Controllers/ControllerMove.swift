/// A change of a controller's place that is under way.
enum ControllerMove {
    case none
    case toParent(animated: Bool)
    case fromParent(animated: Bool)
    case presentation(animated: Bool)
    case dismissal(animated: Bool)

    var isDismissal: Bool {
        if case .dismissal = self { true } else { false }
    }

    var isAnimated: Bool {
        switch self {
        case .none: false
        case .toParent(let animated), .fromParent(let animated), .presentation(let animated), .dismissal(let animated):
            animated
        }
    }
}

/// A controller's place in what is on display.
enum Visibility {
    case hidden
    case visible
    /// Visible before the transition that is under way.
    case leaving
}

/// The controllers whose places change in this input.
@MainActor
final class ControllerMoves {
    private var moving: [UIViewController] = []
    /// Set where the user sees the change.
    private(set) var isAnimated = false

    func note(_ controller: UIViewController) {
        moving.append(controller)
        isAnimated = isAnimated || controller.move.isAnimated
    }

    /// Brings all changes to their end.
    func finish() {
        var finished: [UIViewController] = []
        swap(&finished, &moving)
        isAnimated = false
        for controller in finished { controller.finishMove() }
    }
}

extension UIViewController {
    /// True while it enters a container.
    public final var isMovingToParent: Bool {
        if case .toParent = move { true } else { false }
    }

    /// True while it leaves its container.
    public final var isMovingFromParent: Bool {
        if case .fromParent = move { true } else { false }
    }

    /// True while it is being presented.
    public final var isBeingPresented: Bool {
        if case .presentation = move { true } else { false }
    }

    /// True while it is being dismissed.
    public final var isBeingDismissed: Bool { move.isDismissal }

    /// Begins a change, which comes to its end when the session settles.
    final func begin(_ move: ControllerMove) {
        self.move = move
        guard let session = UIKitSession.current else { return finishMove() }
        session.moves.note(self)
        session.setNeedsReconciling()
    }

    /// Brings the change of its place to its end.
    final func finishMove() {
        let finished = move
        move = .none
        switch finished {
        case .none, .presentation: break
        case .toParent: didMove(toParent: parent)
        case .fromParent:
            parent = nil
            didMove(toParent: nil)
        case .dismissal: unlinkPresentation()
        }
    }
}
