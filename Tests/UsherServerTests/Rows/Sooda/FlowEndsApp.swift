import Usher

/// A root with one child that can finish in each of the ways of Z-35, Z-36 and Z-40.
enum FlowEndsApp: App {
    static var screens: [any Screen.Type] { [WayOutScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { FlowEndsCoordinator() }
}

struct WayOutScreen: Screen {
    enum Event: Codable, CaseIterable { case nowhere, lost, here }
}

final class FlowEndsCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable, CaseIterable { case again }

    override func start() {
        start(MiddleCoordinator())
    }

    func open(_ flow: Flow) -> (any FlowHost)? {
        start(MiddleCoordinator())
        return nil
    }
}

final class MiddleCoordinator: Coordinator<Void> {
    override func start() {
        start(WayOutCoordinator()) { me, outcome in
            guard case .finished = outcome else { return }
            me.finish()
        }
    }
}

final class WayOutCoordinator: Coordinator<Void> {
    enum Unknown: Codable { case place(secret: Int) }

    private var steps = 0

    override func start() {
        push(WayOutScreen()) { me, event in
            switch event {
            case .nowhere: me.finish()
            case .lost: me.finish(next: Unknown.place(secret: 1234))
            case .here: me.finish(next: FlowEndsCoordinator.Flow.again)
            }
            // Now only this closure's caller retains the coordinator.
            me.steps += 1
        }
    }
}
