import Usher

/// An app with places that links lead to, some of which do not work.
enum PlacesApp: App {
    struct Options: Codable, Sendable {
        var unlocked = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { PlacesCoordinator(unlocked: options.unlocked) }
}

struct PlaceScreen: Screen {
    enum Event: String, Codable, CaseIterable { case unlock, walk }
    var name: String
}

final class PlacesCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: String, Codable, CaseIterable { case hall, cellar, forbidden, closed, huge, endless }
    private var isUnlocked: Bool

    init(unlocked: Bool) {
        isUnlocked = unlocked
    }

    override func start() {
        show("gate")
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        guard isUnlocked else { throw Later() }
        switch flow {
        case .hall:
            let hall = HallCoordinator()
            start(hall)
            return hall
        case .cellar: show("cellar")
        case .forbidden:
            show("half-way")
            throw Refusal("nobody goes there")
        case .closed: start(ClosedCoordinator())
        case .huge: show(String(repeating: "x", count: 70_000))
        case .endless: for _ in 0..<100 { show("again") }
        }
        return nil
    }

    private func show(_ name: String) {
        push(PlaceScreen(name: name)) { me, event in
            switch event {
            case .unlock: me.isUnlocked = true
            case .walk: me.show("street")
            }
        }
    }
}

final class HallCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: String, Codable, CaseIterable { case throne }

    override func start() {
        push(PlaceScreen(name: "hall")) { _, _ in }
    }

    /// It never has time.
    func open(_ flow: Flow) throws -> (any FlowHost)? {
        throw Later()
    }
}

private final class ClosedCoordinator: Coordinator<Never> {
    override func start() throws {
        throw Refusal("closed on Sundays")
    }
}
