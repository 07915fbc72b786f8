import Synchronization
import Usher

/// Pushes screens; one event does so and then refuses.
enum StepsApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { StepsCoordinator() }
}

struct StepScreen: Screen {
    enum Event: String, Codable, CaseIterable { case push, pushAndRefuse, refuse }
}

final class StepsCoordinator: Coordinator<Never> {
    override func start() {
        show()
    }

    private func show() {
        push(StepScreen()) { me, event in
            if event != .refuse { me.show() }
            if event != .push { throw Refusal("not today") }
        }
    }
}

/// An app that breaks the rule: what its coordinator does depends on a global.
enum MoodyApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { MoodyCoordinator() }
}

enum Mood {
    static let current = Atomic(0)
}

final class MoodyCoordinator: Coordinator<Never> {
    override func start() {
        push(StepScreen()) { me, event in
            if event == .refuse || Mood.current.load(ordering: .relaxed) > 0 { throw Refusal("moody") }
        }
    }
}

/// An app whose root keeps itself alive.
enum KeptApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { KeptCoordinator() }
}

final class KeptCoordinator: Coordinator<Never> {
    private var itself: KeptCoordinator?

    override func start() {
        itself = self
        push(StepScreen()) { _, _ in }
    }
}
