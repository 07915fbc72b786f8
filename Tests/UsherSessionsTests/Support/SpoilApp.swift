import Usher

/// A child whose last event does a lot, and then refuses.
enum SpoilApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { SpoiledCoordinator() }
}

struct SpoilScreen: Screen {
    enum Event: Codable, CaseIterable { case spoil, spoilTwice, show }
    var note = ""
}

final class SpoiledCoordinator: Coordinator<Never> {
    private var screen: Handle<SpoilScreen>?

    override func start() {
        screen = push(SpoilScreen()) { _, _ in }
        start(SpoilingCoordinator()) { me, _ in
            me.screen?.update { $0.note = "spoiled" }
            me.push(SpoilScreen()) { _, _ in }
            me.start(SpoilingCoordinator())
            me.present(SpoilingCoordinator(), as: .sheet)
            throw Refusal("all of it is undone")
        }
    }
}

final class SpoilingCoordinator: Coordinator<Void> {
    override func start() {
        push(SpoilScreen()) { me, event in
            if event == .show { return me.show() }
            me.show()
            me.present(SpoilScreen(), as: .fullScreen) { _, _ in }
            me.finish()
            if event == .spoilTwice { me.show() }
        }
    }

    private func show() {
        push(SpoilScreen()) { _, _ in }
    }
}
