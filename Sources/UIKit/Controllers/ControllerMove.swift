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

/// A controller's part in the transition that is under way.
enum AppearancePart {
    case none
    case appearing
    /// Left because another controller of the same container is shown.
    case replaced
    /// Left because a modal covers it, or with the modal that it is in.
    case covered
}

/// The controllers whose places change in one transition.
struct ControllerMoves {
    private struct MovingController {
        let controller: UIViewController
        var move: ControllerMove
    }

    private struct KeptTransition {
        let transition: NavigationTransition
        let navigation: BackReference<UIViewController>

        /// Has the navigation forget the transition.
        @MainActor
        func abandon() { (navigation.object as? UINavigationController)?.abandon(transition) }
    }

    private var entries: [MovingController] = []
    /// The transitions that an app may have asked for, kept until they end.
    private var transitions: [KeptTransition] = []
    /// Set where the user sees the change.
    private(set) var isAnimated = false
    /// The number of the transition that brings the changes to their end.
    private(set) var number = 0

    /// Notes a controller with its newest change.
    @MainActor
    mutating func note(_ controller: UIViewController) {
        isAnimated = isAnimated || controller.move.isAnimated
        for index in entries.indices where entries[index].controller === controller {
            entries[index].move = controller.move
            return
        }
        entries.append(MovingController(controller: controller, move: controller.move))
    }

    /// Keeps a transition until all changes come to their end.
    @MainActor
    mutating func keep(_ transition: NavigationTransition, of navigation: UINavigationController) {
        transitions.append(KeptTransition(transition: transition, navigation: navigation.backReference))
    }

    /// Takes out all that is to be brought to its end: what is begun from now on belongs to the next transition.
    mutating func take() -> ControllerMoves {
        var taken = ControllerMoves()
        taken.number = number + 1
        swap(&taken, &self)
        return taken
    }

    /// Takes those that leave out of their containers, once the user does not see them any more.
    @MainActor
    func leaveContainers() {
        for place in entries.indices {
            if case .fromParent = entries[place].move { entries[place].controller.leaveContainer() }
        }
    }

    /// Brings all changes to their end.
    ///
    /// - Parameter session: The session, in which a controller may have begun another change by now.
    @MainActor
    func finish(in session: UIKitSession) {
        for place in entries.indices {
            let controller = entries[place].controller
            controller.finish(entries[place].move, isNewest: !session.moves.contains(controller))
        }
        for place in transitions.indices {
            transitions[place].abandon()
            if !transitions[place].transition.isFinished { transitions[place].transition.finish() }
        }
    }

    /// Releases all of it, at the end of the session: none of it comes to its end.
    @MainActor
    func abandon() {
        for kept in transitions { kept.abandon() }
    }

    private func contains(_ controller: UIViewController) -> Bool {
        for place in entries.indices where entries[place].controller === controller { return true }
        return false
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
    final func begin(_ move: ControllerMove) { begin(move, in: UIKitSession.current) }

    /// Begins a change in a session; outside of one the change ends at once.
    final func begin(_ move: ControllerMove, in session: UIKitSession?) {
        self.move = move
        guard let session else { return finish(move, isNewest: true) }
        session.moves.note(self)
        session.setNeedsReconciling()
    }

    /// Is in a container from now on; one that it was in has it no longer.
    final func enter(_ container: UIViewController) {
        if let parent, parent !== container { parent.lose(self) }
        parent = container
    }

    /// Is in its container no longer, unless it has been put back, or into another one.
    final func leaveContainer() {
        let isChild = readContainer { container in
            for place in container.children.indices where container.children[place] === self { return true }
            container.forget(self)
            return false
        }
        if isChild == false { parent = nil }
    }

    /// Brings a change of its place to its end.
    ///
    /// - Parameter isNewest: False where it is moving again: its place is what the newer change makes it.
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
