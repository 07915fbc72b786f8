import Usher

/// The same app in several builds.
enum FirstBuild: App {
    static let name = "builds"
    static func root(_ options: NoOptions) -> sending AnyCoordinator { BuildCoordinator(.first) }
}

/// Handles one event differently.
enum ChangedBuild: App {
    static let name = "builds"
    static func root(_ options: NoOptions) -> sending AnyCoordinator { BuildCoordinator(.changed) }
}

/// Its screens say more.
enum GrownBuild: App {
    static let name = "builds"
    static func root(_ options: NoOptions) -> sending AnyCoordinator { BuildCoordinator(.grown) }
}

/// Begins with another screen.
enum OtherBuild: App {
    static let name = "builds"
    static func root(_ options: NoOptions) -> sending AnyCoordinator { BuildCoordinator(.other) }
}

struct RoomScreen: Screen {
    enum Event: String, Codable, CaseIterable { case walk, look, jump }
    var steps: Int
    var light: String?
}

struct GardenScreen: Screen {
    enum Event: String, Codable, CaseIterable { case walk }
}

final class BuildCoordinator: Coordinator<Never> {
    enum Build { case first, changed, grown, other }

    private let build: Build
    private var steps = 0

    init(_ build: Build) {
        self.build = build
    }

    override func start() {
        if build == .other { return showGarden() }
        showRoom()
    }

    private func showRoom() {
        push(RoomScreen(steps: steps, light: build == .grown ? "bright" : nil)) { me, event in
            me.steps += 1
            switch event {
            case .walk: me.showRoom()
            case .look: break
            case .jump: try me.jump()
            }
        }
    }

    private func jump() throws {
        switch build {
        case .changed: throw Refusal("nobody jumps any more")
        default: showGarden()
        }
    }

    private func showGarden() {
        push(GardenScreen()) { me, _ in me.showRoom() }
    }
}
