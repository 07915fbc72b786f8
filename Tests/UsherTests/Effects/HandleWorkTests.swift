import Testing
import Usher
import UsherJSON

/// Tests that work that is started with a handle ends with the handle's screen, not with the event's screen.
@Suite("Work with a screen's handle")
struct HandleWorkTests {
    @Test func `a coordinator's timer that has a screen's handle is cancelled when the screen leaves`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.show("countdown")
                    me.handles[1].after(.seconds(2), for: me) { $0.handles[1].update { $0.note = "over" } }
                }
            ]))
        try walker.send("one")
        #expect(walker.pending == ["2.1 timer"])
        #expect(walker.tree.work.first?.due == Timestamp(milliseconds: 3_000))
        try walker.fire("2.1")
        #expect(try walker.notes == ["", "over"])
        try walker.back()
        try walker.send("one")
        try walker.back()
        #expect(walker.pending == [], "the timer was cancelled with its screen")
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a coordinator's effect that has a screen's handle is cancelled when the screen leaves`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.show()
                    me.handles[1].perform(Echo(), for: me) { $0.show($1.text) }
                }
            ]))
        try walker.send("one")
        try walker.succeed("2.1")
        #expect(try walker.notes == ["", "", "done"])
    }

    @Test func `work that begins in the closure of a screen's work belongs to the same screen`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.show()
                    me.handles[1].after(.zero, for: me) { me in me.after(.seconds(1)) { _ in } }
                }
            ]))
        try walker.send("one")
        try walker.fire("2.1")
        #expect(walker.pending == ["3.1 timer"])
        try walker.back()
        #expect(walker.pending == [])
    }

    @Test func `a view model's timer is cancelled when the view model's screen leaves`() throws {
        let walker = try Walker(ClockCoordinator())
        try walker.send("one")
        try walker.send("one")
        #expect(walker.pending == ["3.1 timer"])
        try walker.fire("3.1")
        #expect(try walker.notes == ["", "tick"])
        try walker.send("one")
        try walker.back()
        #expect(walker.pending == [])
        #expect(walker.tree.leaks == [])
    }

    @Test func `if a screen's work belongs to another coordinator, the work is cancelled when that coordinator ends`()
        throws
    {
        let child = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    let other = ScriptedCoordinator()
                    child.coordinator = other
                    root.start(other)
                    root.handles[0].after(.seconds(1), for: other) { _ in throw Refusal("it has ended") }
                },
                .two: { _ in child.coordinator?.cancel() },
            ]) { root in
                root.show()
                root.show(as: .sheet)
            })
        try walker.send("one")
        #expect(walker.pending == ["2.1 timer"])
        try walker.send("two")
        #expect(walker.pending == [])
    }

    @Test func `a coordinator is not cancelled while it has pending work for a screen of another coordinator`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.start(
                    ScriptedCoordinator(onEvent: [
                        .one: { me in
                            root.handles[0].after(.seconds(1), for: me) { $0.finish("late") }
                            me.pop()
                        }
                    ]))
            })
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]"])
        #expect(walker.tree.coordinatorCounts.live == 2)
        try walker.fire("2.1")
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test(arguments: [
        Parting("a timer before dismiss") { me in
            me.after(.seconds(1)) { _ in }
            me.dismiss()
        },
        Parting("an effect before the end", of: "the effect \"echo\"") { me in
            me.perform(Echo()) { _, _ in }
            me.finish("")
        },
        Parting("a timer of a screen that was just shown") { me in
            me.show()
            me.handles[1].after(.seconds(1), for: me) { _ in }
            me.pop()
        },
    ])
    fileprivate func `a handler that begins work and also cancels it causes a warning`(parting: Parting) throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.present(ScriptedCoordinator(onEvent: [.one: parting.script]), as: .fullScreen)
            })
        try walker.send("one")
        #expect(walker.pending == [])
        let warnings = try walker.state[member: "warnings"]?.elements.compactMap(\.string) ?? []
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.hasPrefix(
                #"scripted/scripted: \#(parting.work) began and was cancelled in the same input"#) == true,
            "\(warnings)")
    }

    @Test func `cancelling work that an earlier input began causes no warning`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.after(.seconds(1)) { _ in } }, .two: { $0.replace(with: StepScreen()) { _, _ in } },
            ]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a coordinator that cancels its work because of a link causes no warning`() throws {
        let steps = try JSONDocument(parsing: Array(#"["home"]"#.utf8)).root.elements
        let tree = try Tree(
            root: SplashCoordinator(), seed: 1, time: Timestamp(milliseconds: 0), link: Array(steps))
        #expect(tree.work.isEmpty)
        var writer = JSONWriter()
        writer.beginObject()
        tree.writeState(into: &writer)
        writer.endObject()
        #expect(try JSONDocument(parsing: writer.bytes).root[member: "warnings"] == nil)
    }

    @Test func `work does not begin with the handle of a screen that has left, and a warning appears`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.show(as: .alert) },
                .two: { me in me.handles[1].after(.zero, for: me) { _ in } },
            ]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try walker.text("warnings") == #"["the screen \"step\" was removed, so `after` did nothing"]"#)
    }
}

/// A handler that starts work, and removes the screen of the work.
private struct Parting: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let work: String
    let script: @Sendable (ScriptedCoordinator) -> Void

    init(
        _ description: String, of work: String = "a timer", _ script: @escaping @Sendable (ScriptedCoordinator) -> Void
    ) {
        testDescription = description
        self.work = work
        self.script = script
    }
}

/// A coordinator that waits on its first screen, unless a link leads elsewhere.
private final class SplashCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable, CaseIterable { case home }

    override func start() {
        let splash = push(StepScreen()) { _, _ in }
        splash.after(.seconds(2), for: self) { _ in }
    }

    func open(_ flow: Flow) -> (any FlowHost)? {
        replace(with: StepScreen()) { _, _ in }
        return nil
    }
}

private final class ClockCoordinator: Coordinator<Never> {
    private final class ClockModel {
        var screen = Handle<StepScreen>()

        func wait() {
            screen.after(.seconds(1), for: self) { me in me.screen.update { $0.note = "tick" } }
        }
    }

    override func start() {
        push(StepScreen()) { me, _ in
            let model = ClockModel()
            model.screen = me.push(StepScreen(), keeping: model) { model, _ in model.wait() }
        }
    }
}
