import Testing
import Usher
import UsherJSON

@Suite("Navigation")
struct NavigationTests {
    @Test func `push() shows a screen on top and counts as one change`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.show() }]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#2"])
        #expect(try walker.text("changes") == #"[{"push":[2]}]"#)
        #expect(try walker.text("back") == "true")
    }

    @Test func `all screens that one input pushes are listed as one change`() throws {
        let walker = try Walker(
            ScriptedCoordinator { me in
                me.show()
                me.show()
            })
        #expect(try walker.text("changes") == #"[{"push":[1,2]}]"#)
    }

    @Test func `going back twice from the same screen removes no other screen`() throws {
        let walker = try Walker(four())
        try walker.handle(#"{"screen":4,"back":true}"#)
        let rejection = try #require(try walker.rejection(of: #"{"screen":4,"back":true}"#))
        #expect(rejection.kind == .stale)
        #expect(rejection.reason == "screen 4 is gone; the visible screen is 3")
        #expect(try walker.stack == ["step#1", "step#2", "step#3"])
        try walker.back()
        try walker.handle(#"{"back":true,"screen":null}"#)
        #expect(try walker.stack == ["step#1"])
    }

    @Test func `pop() removes the top screen, but never the root screen`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.pop() }]) { me in
                me.show()
                me.show()
            })
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == #"[{"pop":[2]}]"#)
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == "[]")
    }

    @Test func `popToRoot() removes all screens except the root screen, the top screen first`() throws {
        let walker = try Walker(four(onEvent: [.one: { $0.popToRoot() }]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == #"[{"pop":[4,3,2]}]"#)
    }

    @Test func `pop(to:) removes the screens above the given screen`() throws {
        let walker = try Walker(four(onEvent: [.one: { $0.pop(to: $0.handles[1]) }]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#2"])
        #expect(try walker.text("changes") == #"[{"pop":[4,3]}]"#)
    }

    @Test func `pop(to:) does nothing, with a warning, if the given screen has left`() throws {
        let walker = try Walker(
            four(onEvent: [
                .one: { me in
                    me.popToRoot()
                    me.pop(to: me.handles[2])
                }
            ]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("warnings").contains("pop(to:)"))
    }

    @Test func `replace(with:) replaces the whole stack with one screen`() throws {
        let walker = try Walker(
            four(onEvent: [.one: { me in me.replace(with: StepScreen(note: "new")) { _, _ in } }]))
        try walker.send("one")
        #expect(try walker.stack == ["step#5"])
        #expect(try walker.text("changes") == #"[{"replace":{"out":[4,3,2,1],"in":[5]}}]"#)
    }

    @Test func `replacing the stack with a child shows the child's first screen instead of the whole stack`() throws {
        let walker = try Walker(four(onEvent: [.one: { $0.replace(with: ScriptedCoordinator()) }]))
        try walker.send("one")
        #expect(try walker.stack == ["step#5"])
        #expect(try walker.text("changes") == #"[{"replace":{"out":[4,3,2,1],"in":[5]}}]"#)
        #expect(try walker.text("back") == "false")
    }

    @Test func `all updates in one input are listed as one change`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.handles[0].update { $0.note = "first" }
                    me.handles[1].update { $0.note = "second" }
                    me.handles[0].update { $0.note += "!" }
                }
            ]) { me in
                me.show()
                me.show()
            })
        try walker.send("one")
        #expect(try walker.text("changes") == #"[{"update":[1,2]}]"#)
        #expect(try walker.text("stack").contains(#""state":{"note":"first!"}"#))
    }

    @Test func `an update of a screen is part of the push if the same input pushed the screen`() throws {
        let walker = try Walker(
            ScriptedCoordinator { me in
                me.show()
                me.handles[0].update { $0.note = "at once" }
            })
        #expect(try walker.text("changes") == #"[{"push":[1]}]"#)
        #expect(try walker.text("stack").contains("at once"))
    }

    @Test func `the handle of a screen that has left has no screen and updates nothing`() throws {
        let walker = try Walker(
            four(onEvent: [
                .one: { me in
                    me.popToRoot()
                    me.handles[3].update { $0.note = "late" }
                    #expect(me.handles[3].id == nil)
                    #expect(me.handles[3].screen == nil)
                    #expect(me.handles[0].id == 1)
                }
            ]))
        try walker.send("one")
        #expect(try walker.text("changes") == #"[{"pop":[4,3,2]}]"#)
    }

    @Test func `the list of changes stays in the state until the next accepted input`() throws {
        let walker = try Walker(four(onEvent: [.one: { $0.pop() }]))
        try walker.send("one")
        let state = try walker.text("changes")
        #expect(try walker.handle(#"{"popped":4}"#) == false)
        #expect(try walker.rejection(of: #"{"event":"nine"}"#) != nil)
        #expect(try walker.text("changes") == state)
    }

    @Test func `a report that a screen in the middle was popped also removes the screens above it`() throws {
        let walker = try Walker(four())
        #expect(try walker.handle(#"{"popped":2}"#))
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == #"[{"pop":[4,3,2]}]"#)
    }

    @Test func `calls of a coordinator before its start do nothing, and its start causes warnings about them`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    let child = ScriptedCoordinator()
                    child.show()
                    child.popToRoot()
                    child.show()
                    root.start(child)
                }
            ]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#2"])
        #expect(
            try walker.state[member: "warnings"]?.elements.map { $0.string ?? "" } == [
                "ScriptedCoordinator: `push` did nothing, because the coordinator was not started yet; call it in start()",
                "ScriptedCoordinator: `popToRoot` did nothing, because the coordinator was not started yet; call it in start()",
            ])
    }

    @Test func `only the visible screen lists its events`() throws {
        let walker = try Walker(four())
        let entries = try walker.state[member: "stack"].map { Array($0.elements) } ?? []
        #expect(entries.map { $0[member: "events"] != nil } == [false, false, false, true])
        #expect(entries.map { $0[member: "shown"]?.string } == ["root", "push", "push", "push"])
    }

    private func four(
        onEvent: [StepScreen.Event: ScriptedCoordinator.Script] = [:]
    ) -> ScriptedCoordinator {
        ScriptedCoordinator(onEvent: onEvent) { me in
            for _ in 0..<4 { me.show() }
        }
    }
}
