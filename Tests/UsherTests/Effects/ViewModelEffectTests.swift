import Testing
import Usher
import UsherJSON

@Suite("Effects of view models")
struct ViewModelEffectTests {
    @Test func `a view model performs an effect with its screen's handle`() throws {
        let walker = try Walker(LoadingCoordinator())
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == ["3.1 echo"])
        try walker.succeed("3.1")
        #expect(try walker.notes == ["", "done"])
    }

    @Test func `when a screen leaves, its view model is released and the view model's effect is cancelled`() throws {
        let coordinator = LoadingCoordinator()
        let walker = try Walker(coordinator)
        try walker.send("one")
        try walker.send("two")
        try walker.back()
        #expect(walker.pending == [])
        #expect(coordinator.viewModel == nil)
        #expect(walker.tree.leaks == [])
    }

    @Test
    func `an effect does not retain its view model, and its closure is not called after the view model's release`()
        throws
    {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.handles[0].perform(Echo(), for: LoadingViewModel()) { _, _ in throw Refusal("it was kept") }
                }
            ]))
        try walker.send("one")
        #expect(try walker.succeed("2.1"))
        #expect(walker.tree.revision == 3)
    }

    @Test func `performing an effect with the handle of a screen that has left does nothing, with one warning`() throws
    {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.show(as: .alert) },
                .two: { me in
                    let alert = me.handles[1]
                    alert.perform(Echo(), for: me) { _, _ in }
                },
            ]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == [])
        // The alert's closure is still running, so the alert is still in memory.
        #expect(try walker.text("warnings") == #"["the screen \"step\" was removed, so `perform` did nothing"]"#)
    }

    @Test
    func `performing an effect with an empty handle does nothing, and causes a warning that names the coordinator`()
        throws
    {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { Handle<StepScreen>().perform(Echo(), for: $0) { _, _ in } }]))
        try walker.send("one")
        #expect(walker.pending == [])
        #expect(
            try walker.text("warnings")
                == #"["ScriptedCoordinator: `perform` did nothing, because the handle has no screen; show the screen first"]"#
        )
    }
}

private final class LoadingViewModel {
    var screen: Handle<StepScreen>?

    func load() {
        screen?.perform(Echo(), for: self) { me, result in
            me.screen?.update { $0.note = result.text }
        }
    }
}

private final class LoadingCoordinator: Coordinator<Never> {
    private(set) weak var viewModel: LoadingViewModel?

    override func start() {
        push(StepScreen()) { me, _ in
            let viewModel = LoadingViewModel()
            viewModel.screen = me.push(StepScreen(), keeping: viewModel) { viewModel, _ in viewModel.load() }
            me.viewModel = viewModel
        }
    }
}
