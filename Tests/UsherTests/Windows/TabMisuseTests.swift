import Testing
import Usher
import UsherJSON

/// Tests that an author's mistakes with tabs cause a warning, but never a crash or an invisible screen.
@Suite("Tabs, misused")
struct TabMisuseTests {
    @Test func `after a tab has ended the owner of the tabs, no further tab starts`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.start(
                    ScriptedCoordinator { owner in
                        owner.tabs(Tab.self, selected: .home) { owner, _ in
                            ScriptedCoordinator { [weak owner] _ in owner?.finish("early") }
                        }
                    }
                ) { root, outcome in root.show("\(outcome)") }
            })
        #expect(try walker.stacks == ["root[2]"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }

    @Test func `no further tab starts if a tab replaces all tabs when it starts`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.tabs(Tab.self, selected: .home) { root, _ in
                    ScriptedCoordinator { [weak root] _ in root?.replace(with: StepScreen()) { _, _ in } }
                }
            })
        #expect(try walker.stacks == ["root[1]"])
        #expect(walker.tree.coordinatorCounts.created == 2)
    }

    @Test func `a coordinator of two tabs is started only once, with a warning`() throws {
        let shared = ScriptedCoordinator()
        let walker = try Walker(ScriptedCoordinator { $0.tabs(Tab.self, selected: .home) { _, _ in shared } })
        #expect(try walker.stacks == ["home[1]", "chat[]", "more[]"])
        #expect(try walker.text("warnings").contains("was already started"))
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 0, leaked: 0))
    }

    @Test func `an empty list of tabs is ignored, with a warning`() throws {
        struct NoTab: RawRepresentable, CaseIterable {
            static let allCases: [NoTab] = []
            var rawValue: String
        }
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.tabs(NoTab.self, selected: NoTab(rawValue: "x")) { _, _ in ScriptedCoordinator() }
            })
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("warnings").contains("tabs"))
    }

    @Test func `if two tabs have the same name, the tabs are ignored, with a warning`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.tabs(named: ["one", "two", "one"], selected: "two") { _, _ in ScriptedCoordinator() }
            })
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("warnings").contains("same name"))
        #expect(walker.tree.coordinatorCounts.created == 1)
    }

    @Test func `the first tab is selected if the given selection does not exist`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.tabs(named: ["one", "two"], selected: "three") { _, _ in ScriptedCoordinator() }
            })
        #expect(try walker.text("tabs") == #"{"selected":"one","names":["one","two"]}"#)
        #expect(try walker.text("warnings").contains("three"))
    }

    @Test func `if the owner selects an unknown tab, nothing changes, and a warning appears`() throws {
        enum Other: String { case elsewhere }
        let root = tabs()
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { [weak root] _ in root?.select(Other.elsewhere) }
        try walker.send("two")
        #expect(try walker.text("changes") == "[]")
        #expect(try walker.text("warnings").contains("elsewhere"))
        #expect(try walker.stack == ["step#2"])
    }

    @Test func `tabs() and select() do nothing, with a warning, unless the coordinator owns the lowest stack`() throws {
        let root = tabs()
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { child in
            child.select(Tab.home)
            child.tabs(Tab.self, selected: .home) { _, _ in ScriptedCoordinator() }
        }
        try walker.send("two")
        #expect(try walker.stack == ["step#2"])
        #expect(try walker.state[member: "warnings"]?.elements.map { _ in 1 } == [1, 1])
    }

    @Test func `a coordinator whose tab no longer exists shows its screens on the lowest stack`() throws {
        let silent = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { _ in silent.coordinator?.show() }]) { root in
                root.tabs(Tab.self, selected: .home) { _, _ in
                    let child = ScriptedCoordinator { _ in }
                    silent.coordinator = child
                    return child
                }
                root.replace(with: StepScreen()) { me, event in try me.onEvent[event]?(me) }
            })
        try walker.send("one")
        #expect(try walker.stacks == ["root[1, 2]"])
        try walker.back()
        #expect(walker.tree.coordinatorCounts.live == 3, "the two that have shown nothing, and the root")
    }
}
