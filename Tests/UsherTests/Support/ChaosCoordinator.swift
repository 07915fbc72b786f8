import Usher

/// A coordinator that makes random calls to itself and to all other coordinators.
final class ChaosCoordinator: Coordinator<Int>, FlowHost {
    enum Flow: Codable, CaseIterable { case here, deeper, later }

    /// The state that the coordinators of one tree share: all coordinators, and the calls that are left in this input.
    final class World {
        var budget = 0
        private var members: [Member] = []

        var everyone: [ChaosCoordinator] {
            members.removeAll { $0.coordinator == nil }
            return members.compactMap(\.coordinator)
        }

        func join(_ coordinator: ChaosCoordinator) {
            members.append(Member(coordinator: coordinator))
        }

        private struct Member {
            weak var coordinator: ChaosCoordinator?
        }
    }

    private let world: World
    private var handles: [Handle<StepScreen>] = []

    init(_ world: World) {
        self.world = world
    }

    override func start() throws {
        world.join(self)
        if roll(4) > 0 { show() }
        if roll(3) == 0 { try act() }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        world.budget = 6
        if isRoot { show() }
        try act()
        switch flow {
        case .here: return self
        case .deeper: return child(ChaosCoordinator.self) ?? self
        case .later: throw Later()
        }
    }

    override func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) throws {
        if roll(3) == 0 { try act() }
    }

    override func childDidFinish(_ child: AnyCoordinator, next: any Codable & Sendable) throws -> Bool {
        isRoot || roll(2) == 0
    }

    override func shouldSelect(_ tab: String) throws -> Bool {
        try act()
        return roll(3) > 0
    }

    override func didReturn(to screen: Int) throws { try act() }

    override func didSelect(_ tab: String) throws { try act() }

    override func didReselect(_ tab: String) throws { try act() }

    /// Makes one to four calls, each to a random coordinator.
    func rage() throws {
        world.budget = 12
        for _ in 0...roll(4) { try world.everyone.randomElement(using: &random)?.act() }
    }

    private func act() throws {
        guard world.budget > 0 else { return }
        world.budget -= 1
        if try !actOnScreens(roll(20)) { try actOnOthers(roll(9)) }
    }

    private func actOnScreens(_ choice: Int) throws -> Bool {
        switch choice {
        case 0, 1: show()
        case 2: keep(present(StepScreen(), as: style()) { me, _ in try me.rage() })
        case 3: keep(replace(with: StepScreen()) { me, _ in try me.rage() })
        case 4: pop()
        case 5: popToRoot()
        case 6: if let handle = handles.randomElement(using: &random) { pop(to: handle) }
        case 7: dismiss()
        case 8: if let handle = handles.randomElement(using: &random) { dismiss(handle) }
        case 9: if roll(4) == 0 { barrier() }
        case 10: handles.randomElement(using: &random)?.update { $0.note += "x" }
        default: return false
        }
        return true
    }

    private func actOnOthers(_ choice: Int) throws {
        switch choice {
        case 0: start(ChaosCoordinator(world)) { me, _ in try me.act() }
        case 1: start(ChaosCoordinator(world))
        case 2: present(ChaosCoordinator(world), as: style()) { me, _ in try me.act() }
        case 3: replace(with: ChaosCoordinator(world))
        case 4: tabs(Tab.self, selected: .chat) { me, _ in ChaosCoordinator(me.world) }
        case 5: select(Tab.allCases.randomElement(using: &random) ?? .home)
        case 6 where !isRoot: finish(1)
        case 7 where !isRoot: cancel()
        case 8 where !isRoot && roll(3) == 0: finish(next: Flow.here)
        default: break
        }
    }

    private var isRoot: Bool { world.everyone.first === self }

    private func show() {
        keep(push(StepScreen()) { me, _ in try me.rage() })
    }

    private func keep(_ handle: Handle<StepScreen>) {
        handles.removeAll { $0.id == nil }
        handles.append(handle)
    }

    private func style() -> PresentationStyle {
        [.sheet, .popover, .fullScreen, .alert, .actionSheet].randomElement(using: &random) ?? .sheet
    }

    private func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }
}
