import Testing
import Usher
import UsherJSON

@Suite("Siblings")
struct SiblingTests {
    @Test func `E-05: the middle of three siblings leaves with its screens, and its siblings' screens stay in order`()
        throws
    {
        let middle = Reference()
        let notes = Reference()
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                for name in ["first", "middle", "last"] {
                    let child = ScriptedCoordinator(onEvent: [.one: { _ in middle.coordinator?.finish("done") }]) {
                        me in
                        me.show(name)
                        me.show(name)
                    }
                    if name == "middle" { middle.coordinator = child }
                    root.start(child) { _, outcome in notes.notes.append("\(name) \(outcome)") }
                }
            })
        try walker.send("one")
        #expect(try walker.stacks == ["root[1, 2, 3, 6, 7]"])
        #expect(try walker.text("changes") == #"[{"remove":[5,4]}]"#)
        #expect(notes.notes == [#"middle finished("done")"#])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 4, finished: 1, leaked: 0))

        #expect(try walker.rejection(of: #"{"screen":4,"event":"one"}"#)?.kind == .stale)
        try walker.back()
        try walker.back()
        #expect(try walker.stacks == ["root[1, 2, 3]"])
        #expect(notes.notes.last == "last cancelled")
    }

    @Test
    func `E-05: when the middle sibling leaves, its child leaves too, even if other screens are between theirs`()
        throws
    {
        let middle = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { _ in middle.coordinator?.cancel() }]) { root in
                root.show()
                let child = ScriptedCoordinator { me in
                    me.show()
                    me.start(ScriptedCoordinator())
                }
                middle.coordinator = child
                root.start(child)
                root.show()
                child.show()
                root.show()
            })
        #expect(try walker.stacks == ["root[1, 2, 3, 4, 5, 6]"])
        try walker.send("one")
        #expect(try walker.stacks == ["root[1, 4, 6]"])
        #expect(try walker.text("changes") == #"[{"remove":[5,3,2]}]"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }
}
