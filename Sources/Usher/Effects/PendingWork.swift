/// Work that a tree waits for, with whom it belongs to and what its end does.
final class PendingWork {
    /// What its end does; the coordinator is passed in, never captured.
    enum Completion {
        case effect((AnyCoordinator, EffectOutcome, SecretLedger) throws -> Void)
        case timer((AnyCoordinator) throws -> Void)
    }

    let id: EffectID
    let name: String
    /// Never dangling: work goes before its coordinator does.
    unowned let node: Node
    /// The screen with which it goes; nil where it goes with its coordinator alone.
    let screen: ScreenInstance?
    /// Where its closure was given.
    let origin: Origin
    private(set) var kind: Work.Kind?
    private(set) var completion: Completion?
    let isTimer: Bool

    init(
        _ id: EffectID, _ name: String, _ kind: Work.Kind, by node: Node, with screen: ScreenInstance?,
        _ origin: Origin, _ completion: Completion
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.node = node
        self.screen = screen
        self.origin = origin
        self.completion = completion
        isTimer = if case .timer = completion { true } else { false }
    }

    /// What a session has to know of it.
    var work: Work? { kind.map { Work(id: id, name: name, kind: $0) } }

    /// Such as `the effect "signIn"`.
    var description: String { isTimer ? "a timer" : "the effect \"\(name)\"" }

    /// Lets go of the closure alone, to see what it held.
    func dropCompletion() {
        completion = nil
    }

    /// Lets go of the effect itself, to see what it held.
    func dropEffect() {
        kind = nil
    }
}
