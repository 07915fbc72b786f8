import Testing
import Usher
import UsherJSON
import UsherReflection

@Suite("View models")
struct ViewModelTests {
    @Test func `a view model gets the events of its screen, and is released when the screen leaves`() throws {
        let coordinator = CounterCoordinator()
        let walker = try Walker(coordinator)
        #expect(coordinator.viewModel != nil)
        try walker.send("one")
        #expect(try walker.text("stack").contains(#"{"note":"one"}"#))
        try walker.back()
        #expect(coordinator.viewModel == nil)
        #expect(walker.tree.leaks == [])
    }

    @Test func `a view model that stays in memory is reported as a leak with the name of its type`() throws {
        let coordinator = CounterCoordinator()
        let walker = try Walker(coordinator)
        coordinator.kept = coordinator.viewModel
        try walker.back()
        #expect(walker.tree.leaks.map(\.type) == ["CounterViewModel"])
        #expect(walker.tree.leaks.map(\.coordinator) == ["counter"])
    }

    @Test func `a view model that the app declares as kept on purpose is not a leak`() throws {
        let viewModel = LastingCounter()
        var first: LastingCounter? = viewModel
        let coordinator = ScriptedCoordinator { me in
            me.show()
            if let viewModel = first { me.push(StepScreen(), keeping: viewModel) { _, _ in } }
            first = nil
        }
        let walker = try Walker(coordinator)
        try walker.back()
        #expect(walker.tree.leaks == [])
        withExtendedLifetime(viewModel) {}
    }

    @Test func `a view model of a modal's screen stays in memory as long as the modal is shown`() throws {
        let coordinator = CounterCoordinator(modal: true)
        let walker = try Walker(coordinator)
        try walker.send("two")
        #expect(try walker.text("stack").contains(#"{"note":"two"}"#))
        try walker.handle(#"{"dismissed":2}"#)
        #expect(coordinator.viewModel == nil)
        #expect(walker.tree.leaks == [])
    }

    @Test func `a view model is not a leak while another screen uses it`() throws {
        let walker = try Walker(Self.showingTwice(CounterViewModel()))
        try walker.handle(#"{"popped":3}"#)
        #expect(walker.tree.leaks == [])
        try walker.handle(#"{"popped":2}"#)
        #expect(walker.tree.leaks == [])
    }

    @Test func `a view model of two screens that both leave is reported as one leak`() throws {
        let viewModel = CounterViewModel()
        let walker = try Walker(Self.showingTwice(viewModel))
        try walker.handle(#"{"popped":2}"#)
        #expect(walker.tree.leaks.map(\.type) == ["CounterViewModel"])
        withExtendedLifetime(viewModel) {}
    }

    private static func showingTwice(_ viewModel: CounterViewModel) -> ScriptedCoordinator {
        var shared: CounterViewModel? = viewModel
        return ScriptedCoordinator { me in
            me.show()
            guard let viewModel = shared else { return }
            shared = nil
            for _ in 1...2 { me.push(StepScreen(), keeping: viewModel) { $0.handle($1) } }
        }
    }
}

private final class CounterViewModel {
    var screen: Handle<StepScreen>?

    func handle(_ event: StepScreen.Event) {
        screen?.update { $0.note = event.rawValue }
    }
}

/// A coordinator that shows a screen with a view model above one without.
private final class CounterCoordinator: Coordinator<Never> {
    private(set) weak var viewModel: CounterViewModel?
    var kept: AnyObject?
    private let modal: Bool

    init(modal: Bool = false) {
        self.modal = modal
    }

    override func start() {
        push(StepScreen()) { _, _ in }
        let viewModel = CounterViewModel()
        viewModel.screen =
            modal
            ? present(StepScreen(), as: .sheet, keeping: viewModel) { $0.handle($1) }
            : push(StepScreen(), keeping: viewModel) { $0.handle($1) }
        self.viewModel = viewModel
    }
}

private final class LastingCounter: LastingViewModel {
    private(set) lazy var life = ObjectLife(of: self)
    var isKeptOnPurpose: Bool { true }

    deinit { life.end() }
}
