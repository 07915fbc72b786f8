import Testing
import Usher
import UsherJSON

/// Tests of the call to a coordinator when one of its screens is visible again.
@Suite("Returning to a screen")
struct ReturnTests {
    @Test(arguments: [
        Way("back", by: #"{"back":true}"#) { $0.show() },
        Way("a swipe", by: #"{"popped":2}"#) { $0.show() },
        Way("a swipe over several", by: #"{"popped":2}"#) { me in (1...3).forEach { _ in me.show() } },
        Way("a sheet pulled down", by: #"{"dismissed":2}"#) { $0.show(as: .sheet) },
        Way("an alert's answer", by: #"{"event":"two"}"#) { $0.show(as: .alert) },
        Way("pop", by: #"{"event":"three"}"#) { $0.show() },
        Way("a child's end", by: #"{"event":"one"}"#) {
            $0.start(ScriptedCoordinator(onEvent: [.one: { $0.finish("") }]))
        },
        Way("a modal child's end", by: #"{"event":"one"}"#) {
            $0.present(ScriptedCoordinator(onEvent: [.one: { $0.finish("") }]), as: .fullScreen)
        },
    ])
    fileprivate func `a coordinator is notified when its screen is visible again`(way: Way) throws {
        let seen = Reference()
        let root = ScriptedCoordinator(onEvent: [.one: way.leave, .two: { _ in }, .three: { $0.pop() }])
        root.onReturn = { _, screen in seen.notes.append("\(screen)") }
        let walker = try Walker(root)
        try walker.send("one")
        #expect(seen.notes == [])
        try walker.handle(way.action)
        #expect(seen.notes == ["1"])
        #expect(try walker.stacks == ["root[1]"])
    }

    @Test func `a coordinator is notified when the user or the tabs' owner selects the coordinator's tab`() throws {
        let seen = Reference()
        let root = tabs()
        let walker = try Walker(root)
        for child in root.children { child.onReturn = { _, screen in seen.notes.append("\(screen)") } }
        root.children[0].onEvent[.two] = { [weak root] _ in root?.select(Tab.more) }
        try walker.handle(#"{"select":"home"}"#)
        try walker.send("two")
        try walker.handle(#"{"select":"more"}"#)
        #expect(seen.notes == ["1", "3"])
    }

    @Test func `a coordinator is not notified if its screen is new, stays, or is only briefly covered`() throws {
        let root = ScriptedCoordinator(onEvent: [
            .one: { $0.handles[0].update { $0.note = "x" } },
            .two: { me in
                me.show()
                me.pop()
            },
            .three: { $0.replace(with: StepScreen()) { _, _ in } },
        ])
        root.onReturn = { _, screen in throw Refusal("told of \(screen)") }
        let walker = try Walker(root)
        for event in ["one", "two", "three"] { try walker.send(event) }
        #expect(try walker.stacks == ["root[3]"])
    }

    @Test func `only the coordinator that owns the screen is notified`() throws {
        let root = ScriptedCoordinator(onEvent: [
            .one: { $0.start(ScriptedCoordinator(onEvent: [.one: { $0.show() }])) }
        ])
        root.onReturn = { _, screen in throw Refusal("told of \(screen)") }
        let walker = try Walker(root)
        try walker.send("one")
        try walker.send("one")
        try walker.back()
        #expect(try walker.stacks == ["root[1, 2]"])
    }

    @Test
    func `what a notified coordinator does belongs to the same input, and causes no second notification`()
        throws
    {
        let root = ScriptedCoordinator { me in
            me.show("1")
            me.show("2")
            me.show("3")
        }
        root.onReturn = { me, screen in
            me.ended.append("\(screen)")
            me.pop()
        }
        let walker = try Walker(root)
        try walker.back()
        #expect(root.ended == ["2"])
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("changes") == #"[{"pop":[3,2]}]"#)
    }

    @Test func `a coordinator that finishes when it is notified leaves within the same input`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                let child = ScriptedCoordinator { me in
                    me.show()
                    me.show()
                }
                child.onReturn = { me, _ in me.finish("enough") }
                root.start(child) { root, outcome in root.handles[0].update { $0.note = "\(outcome)" } }
            })
        try walker.back()
        #expect(try walker.notes == [#"finished("enough")"#])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `if the notified coordinator throws an error, the input is refused`() throws {
        let root = ScriptedCoordinator { me in
            me.show()
            me.show()
        }
        root.onReturn = { _, _ in throw Refusal("stay where you are") }
        let walker = try Walker(root)
        #expect(try walker.rejection(of: #"{"back":true}"#)?.reason == "stay where you are")
        #expect(walker.tree.isBroken)
    }

    @Test func `work that the notified coordinator begins belongs to the screen that is visible again`() throws {
        let root = ScriptedCoordinator { me in (1...3).forEach { _ in me.show() } }
        root.onReturn = { me, screen in if screen == 2 { me.after(.seconds(1)) { _ in } } }
        let walker = try Walker(root)
        try walker.back()
        #expect(walker.pending == ["2.1 timer"])
        try walker.back()
        #expect(walker.pending == [])
    }
}

/// A way to leave the first screen, and a way back to it.
private struct Way: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let action: String
    let leave: @Sendable (ScriptedCoordinator) -> Void

    init(_ description: String, by action: String, _ leave: @escaping @Sendable (ScriptedCoordinator) -> Void) {
        testDescription = description
        self.action = action
        self.leave = leave
    }
}
