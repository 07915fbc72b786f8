import Testing
import Usher
import UsherJSON

/// Tests of tabs that are not cases of an enum, and of the end of a tab's coordinator.
@Suite("Tabs by name and their ends")
struct NamedTabTests {
    @Test func `tabs are created in the order of the given names, each with its name`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.tabs(named: ["Überblick", "2", ""], selected: "2") { _, name in
                    ScriptedCoordinator { $0.show(name) }
                }
            })
        #expect(try walker.text("tabs") == #"{"selected":"2","names":["Überblick","2",""]}"#)
        #expect(try walker.stacks == ["Überblick[1]", "2[2]", "[3]"])
        try walker.handle(#"{"select":""}"#)
        #expect(try walker.notes == [""])
        try walker.handle(#"{"select":"Überblick"}"#)
        #expect(try walker.notes == ["Überblick"])
    }

    @Test func `the owner of the tabs can select a tab by its name`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.tabs(named: ["a", "b"], selected: "a") { root, _ in
                    ScriptedCoordinator(onEvent: [.one: { [weak root] _ in root?.select(named: "b") }])
                }
            })
        try walker.send("one")
        #expect(try walker.text("changes") == #"[{"select":"b"}]"#)
    }

    @Test func `the owner's closure is called with each tab that ends and the tab's outcome`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.tabs(Tab.self, selected: .home) { _, tab in
                    ScriptedCoordinator(onEvent: [.one: { $0.finish("done") }, .two: { $0.cancel() }])
                } completion: { me, tab, outcome in
                    me.show("\(tab) \(outcome)")
                }
            })
        try walker.send("one")
        #expect(try walker.notes == [#"home finished("done")"#])
        try walker.handle(#"{"select":"chat"}"#)
        try walker.send("two")
        #expect(try walker.notes == ["chat cancelled"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 4, finished: 2, leaked: 0))
    }

    @Test func `childDidFinish is called for tabs without a closure`() throws {
        let root = tabs(onEvent: [.one: { $0.finish("done") }])
        let walker = try Walker(root)
        try walker.send("one")
        #expect(root.ended == [#"finished("done")"#])
    }

    @Test func `if the closure for a tab's end causes a leak, the closure is reported as the holder`() throws {
        func walk() throws -> Walker {
            let root = ScriptedCoordinator { root in
                let child = ScriptedCoordinator(onEvent: [.one: { $0.finish("") }])
                root.start(child)
                root.tabs(named: ["a"], selected: "a") { _, _ in
                    ScriptedCoordinator { $0.show() }
                } completion: { _, _, _ in
                    child.cancel()
                }
            }
            return try Walker(root)
        }
        let walker = try walk()
        #expect(walker.tree.leaks.map(\.type) == ["ScriptedCoordinator"])
        let holder = try #require(try walk().tree.findHolders().first ?? nil)
        #expect(holder.contains("UsherTests/NamedTabTests.swift:"), "\(holder)")
    }
}
