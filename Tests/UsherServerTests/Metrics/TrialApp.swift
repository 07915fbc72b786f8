import Usher

/// An app with everything that is counted.
enum TrialApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { TrialCoordinator() }
}

struct TrialScreen: Screen {
    enum Event: Codable, CaseIterable { case step, refuse, fail, leak, ask, miss, finish, cancel }
}

private struct Inquiry: Effect {
    let isMissing: Bool

    func run(_ context: EffectContext<NoServices>) async throws -> Int {
        guard !isMissing else { throw EffectFailure(code: "missing", message: "nothing there") }
        return 42
    }
}

private struct Trouble: Error {}

private final class TrialCoordinator: Coordinator<Void> {
    override func start() { show() }

    private func show() {
        push(TrialScreen()) { me, event in
            switch event {
            case .step: me.show()
            case .refuse: throw Refusal("not now")
            case .fail: throw Trouble()
            case .leak: me.leak()
            case .ask: me.perform(Inquiry(isMissing: false)) { _, _ in }
            case .miss: me.perform(Inquiry(isMissing: true)) { _, _ in }
            case .finish: me.finish()
            case .cancel: me.cancel()
            }
        }
    }

    private func leak() {
        let child = StickyCoordinator()
        child.itself = child
        start(child)
        child.cancel()
    }
}

private final class StickyCoordinator: Coordinator<Never> {
    var itself: StickyCoordinator?
}
