/// A controller's move into or out of a container or a presentation that has begun and has not ended.
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

enum Visibility {
    case hidden
    case visible
    /// Visible before the current transition.
    case leaving
}

/// A controller's part in the current transition.
enum AppearancePart {
    case none
    case appearing
    /// Disappears because another controller of the same container is shown.
    case replaced
    /// Disappears because a modal covers the controller, or because the controller's own modal closes.
    case covered
}

/// The controllers that move in one transition.
struct ControllerMoves {
    private struct MovingController {
        let controller: UIViewController
        var move: ControllerMove
    }

    private struct KeptTransition {
        let transition: NavigationTransition
        let navigation: BackReference<UIViewController>

        @MainActor
        func abandon() { (navigation.object as? UINavigationController)?.abandon(transition) }
    }

    private var entries: [MovingController] = []
    /// The transitions that an app may have observed, retained until they end.
    private var transitions: [KeptTransition] = []
    private(set) var isAnimated = false
    /// The number of the transition at whose end the moves end.
    private(set) var number = 0

    @MainActor
    mutating func note(_ controller: UIViewController) {
        isAnimated = isAnimated || controller.move.isAnimated
        for index in entries.indices where entries[index].controller === controller {
            entries[index].move = controller.move
            return
        }
        entries.append(MovingController(controller: controller, move: controller.move))
    }

    @MainActor
    mutating func keep(_ transition: NavigationTransition, of navigation: UINavigationController) {
        transitions.append(KeptTransition(transition: transition, navigation: navigation.backReference))
    }

    /// Removes and returns all moves that are about to end; moves that begin later belong to the next transition.
    mutating func take() -> ControllerMoves {
        var taken = ControllerMoves()
        taken.number = number + 1
        swap(&taken, &self)
        return taken
    }

    /// Removes the leaving controllers from their containers, once the controllers are no longer visible.
    @MainActor
    func leaveContainers() {
        each { controller, move in
            if case .fromParent = move { controller.leaveContainer() }
        }
    }

    /// Ends all moves; another move of a controller may have begun in the session in the meantime.
    @MainActor
    func finish(in session: UIKitSession) {
        each { controller, move in controller.finish(move, isNewest: !session.moves.contains(controller)) }
        for place in transitions.indices {
            transitions[place].abandon()
            if !transitions[place].transition.isFinished { transitions[place].transition.finish() }
        }
    }

    /// Releases all transitions at the end of the session, without ending them.
    @MainActor
    func abandon() {
        for kept in transitions { kept.abandon() }
    }

    /// Calls a closure for each controller with its move, without counting references or checking the actor.
    private func each(_ body: (UIViewController, ControllerMove) -> Void) {
        // Keep the moves alive: the optimizer could release the moves once the last move has been read.
        defer { withExtendedLifetime(self) {} }
        for place in entries.indices {
            let move = entries[place].move
            // Safe because these moves, which retain the controller, cannot change during the call.
            unsafe Unmanaged.passUnretained(entries[place].controller)._withUnsafeGuaranteedRef { body($0, move) }
        }
    }

    private func contains(_ controller: UIViewController) -> Bool {
        for place in entries.indices where entries[place].controller === controller { return true }
        return false
    }
}

extension UIViewController {
    /// A Boolean value that indicates whether the controller is entering a container.
    public final var isMovingToParent: Bool {
        if case .toParent = move { true } else { false }
    }

    /// A Boolean value that indicates whether the controller is leaving its container.
    public final var isMovingFromParent: Bool {
        if case .fromParent = move { true } else { false }
    }

    /// A Boolean value that indicates whether the controller is being presented.
    public final var isBeingPresented: Bool {
        if case .presentation = move { true } else { false }
    }

    /// A Boolean value that indicates whether the controller is being dismissed.
    public final var isBeingDismissed: Bool { move.isDismissal }

    /// Begins a move, which ends when the session has shown the controllers in their new places.
    final func begin(_ move: ControllerMove) { begin(move, in: UIKitSession.current) }

    /// Begins a move in a session; without a session, the move ends immediately.
    final func begin(_ move: ControllerMove, in session: UIKitSession?) {
        self.move = move
        guard let session else { return finish(move, isNewest: true) }
        session.moves.note(self)
        session.setNeedsReconciling()
    }

    final func enter(_ container: UIViewController) {
        if readContainer({ $0 !== container }) == true { parent?.lose(self) }
        parent = container
    }

    /// Removes the controller from its container, unless the controller was put back or into another container.
    final func leaveContainer() {
        let isChild = readContainer { container in
            for place in container.children.indices where container.children[place] === self { return true }
            container.forget(self)
            return false
        }
        if isChild == false { parent = nil }
    }

    /// Ends a move; `isNewest` is `false` if another move has begun, which determines the controller's place.
    final func finish(_ finished: ControllerMove, isNewest: Bool) {
        if isNewest { move = .none }
        switch finished {
        case .none, .presentation: break
        case .toParent: didMove(toParent: parent)
        case .fromParent:
            leaveContainer()
            didMove(toParent: nil)
        case .dismissal:
            if isNewest { unlinkPresentation() }
        }
    }
}
