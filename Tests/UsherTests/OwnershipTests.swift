import Testing
import Usher
import UsherJSON

@Suite("Ownership of screens and children")
struct OwnershipTests {
    @Test func `a child's screens leave before the parent's closure is called`() throws {
        let parent = ScriptedCoordinator(onEvent: [
            .one: { me in
                me.start(ScriptedCoordinator(onEvent: [.two: { $0.finish("done") }])) { me, outcome in
                    me.ended.append("\(outcome) with \(me.handles.count { $0.id != nil })")
                    me.show()
                }
            }
        ])
        let walker = try Walker(parent)
        try walker.send("one")
        try walker.send("two")
        #expect(try walker.stack == ["step#1", "step#3"])
        #expect(try walker.text("changes") == #"[{"pop":[2]},{"push":[3]}]"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `childDidFinish is called for a child without a closure`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.start(ScriptedCoordinator(onEvent: [.one: { $0.finish("done") }, .two: { $0.cancel() }])) },
                .three: { me in me.handles[0].update { $0.note = me.ended.joined(separator: ",") } },
            ]))
        try walker.send("one")
        try walker.send("one")
        try walker.send("one")
        try walker.send("two")
        try walker.send("three")
        #expect(try walker.text("stack").contains(#"finished(\"done\"),cancelled"#))
    }

    @Test func `popping the lowest screen of a subtree removes the whole subtree of coordinators`() throws {
        let walker = try Walker(ScriptedCoordinator { me in Self.descend(me, 5) })
        #expect(try walker.stack.count == 5)
        try walker.handle(#"{"popped":2}"#)
        #expect(try walker.stack == ["step#1"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 5, finished: 4, leaked: 0))
    }

    @Test(arguments: [1, 2, 5, 20])
    func `coordinators that finish in start() show no screen and do not stay in memory`(depth: Int) throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.start(Self.finishingInStart(depth: depth)) }]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == "[]")
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: depth + 1, finished: depth, leaked: 0))
    }

    @Test func `a coordinator's second call of finish does nothing`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.start(
                        ScriptedCoordinator(onEvent: [
                            .one: { child in
                                child.finish("first")
                                child.finish("second")
                                child.cancel()
                            }
                        ]))
                },
                .two: { me in me.handles[0].update { $0.note = me.ended.joined(separator: ",") } },
            ]))
        try walker.send("one")
        try walker.send("one")
        try walker.send("two")
        #expect(try walker.text("stack").contains(#"{"note":"finished(\"first\")"}"#))
    }

    @Test func `E-05: a child in the middle leaves, and the screens above it stay in order`() throws {
        let middle = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { _ in middle.coordinator?.finish("") }]) { me in
                me.show()
                me.start(ScriptedCoordinator())
                let child = ScriptedCoordinator()
                middle.coordinator = child
                me.start(child)
                me.show()
            })
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#2", "step#4"])
        #expect(try walker.text("changes") == #"[{"remove":[3]}]"#)
        #expect(walker.tree.coordinatorCounts.leaked == 0)
    }

    @Test func `the lowest remaining screen becomes the root when the root leaves`() throws {
        let first = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { _ in first.coordinator?.finish("") }]) { me in
                let child = ScriptedCoordinator()
                first.coordinator = child
                me.start(child)
                me.show()
            })
        try walker.send("one")
        #expect(try walker.stack == ["step#2"])
        #expect(try walker.text("stack").contains(#""shown":"root""#))
    }

    @Test func `E-07: coordinators without a screen are cancelled, deepest first`() throws {
        let order = Reference()
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.show()
                root.start(
                    ScriptedCoordinator { middle in
                        middle.show()
                        middle.start(ScriptedCoordinator { $0.show() }) { _, outcome in
                            order.notes.append("inner \(outcome)")
                        }
                    }
                ) { _, outcome in order.notes.append("middle \(outcome)") }
            })
        try walker.handle(#"{"popped":2}"#)
        #expect(order.notes == ["inner cancelled", "middle cancelled"])
        #expect(try walker.stack == ["step#1"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }

    @Test func `a coordinator that has not shown anything yet is not cancelled`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.start(ScriptedCoordinator { _ in }) }, .two: { $0.show() }]))
        try walker.send("one")
        try walker.send("two")
        try walker.back()
        #expect(walker.tree.coordinatorCounts.live == 2)
    }

    @Test func `E-09: each call of a coordinator that has ended does nothing and causes a warning`() throws {
        let walker = try Walker(
            ScriptedCoordinator.starting([
                .one: { child in
                    child.finish("")
                    child.show()
                    child.start(ScriptedCoordinator())
                    child.replace(with: StepScreen()) { _, _ in }
                }
            ]))
        try walker.send("one")
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.state[member: "warnings"]?.elements.map { $0.string ?? "" }.count == 3)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `E-10: a coordinator can end its parent from its own closure`() throws {
        let parent = Reference()
        let order = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    let middle = ScriptedCoordinator { middle in
                        middle.show()
                        middle.start(
                            ScriptedCoordinator(onEvent: [
                                .one: { inner in
                                    parent.coordinator?.finish("parent")
                                    inner.finish("inner")
                                }
                            ])
                        ) { _, outcome in order.notes.append("inner \(outcome)") }
                    }
                    parent.coordinator = middle
                    root.start(middle) { _, outcome in order.notes.append("middle \(outcome)") }
                }
            ]))
        try walker.send("one")
        try walker.send("one")
        #expect(order.notes == [#"middle finished("parent")"#])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }

    @Test func `sibling coordinators with the same name have different ids for their whole lives`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.start(ScriptedCoordinator()) }]) { me in
                me.show()
                me.start(ScriptedCoordinator())
            })
        try walker.handle(#"{"popped":2}"#)
        try walker.send("one")
        #expect(try walker.text("stack").contains(#""coordinator":"scripted/scripted""#))
        let two = try Walker(
            ScriptedCoordinator { me in
                me.start(ScriptedCoordinator())
                me.start(ScriptedCoordinator())
            })
        #expect(try two.text("stack").contains(#""coordinator":"scripted/scripted#3""#))
        let root = try #require(try two.report[member: "root"])
        #expect(root[member: "name"]?.string == "scripted")
        let names = root[member: "children"]?.elements.compactMap { $0[member: "name"]?.string }
        #expect(names == ["scripted", "scripted#3"])
    }

    @Test func `a session ends with the result of its root coordinator`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.finish("paid") }]))
        try walker.send("one")
        #expect(try walker.stack == [])
        #expect(try walker.text("ended") == #"{"reason":"finished","result":"paid"}"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 1, finished: 1, leaked: 0))
    }

    @Test func `a coordinator that is being released can call another coordinator`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.show()
                    me.start(PartingCoordinator(to: me))
                }
            ]))
        try walker.send("one")
        try walker.back()
        #expect(try walker.stacks == ["root[1]"])
        #expect(walker.tree.leaks == [])
    }

    @Test func `Z-35: a session without screens warns that it is empty`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.start(ScriptedCoordinator(onEvent: [.one: { $0.finish("") }]))
            })
        try walker.send("one")
        #expect(try walker.stack == [])
        #expect(try walker.text("warnings").contains("empty"))
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.kind == .stale)
    }

    @Test func `one input can cause at most 32 warnings`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { me in for _ in 0..<100 { me.dismiss() } }]))
        try walker.send("one")
        #expect(try walker.state[member: "warnings"]?.elements.map { _ in 1 }.count == 32)
    }

    @Test func `starting a child twice starts it once, with a warning`() throws {
        let walker = try Walker(
            ScriptedCoordinator { me in
                let child = ScriptedCoordinator()
                me.start(child)
                me.start(child)
            })
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("warnings").contains("was already started"))
    }

    private static func finishingInStart(depth: Int) -> ScriptedCoordinator {
        ScriptedCoordinator { me in
            guard depth > 1 else { return me.finish("") }
            me.start(finishingInStart(depth: depth - 1)) { me, _ in me.finish("") }
        }
    }

    private static func descend(_ coordinator: ScriptedCoordinator, _ depth: Int) {
        coordinator.show()
        if depth > 1 { coordinator.start(ScriptedCoordinator { descend($0, depth - 1) }) }
    }
}

/// An object that a test uses across closures, with weak references to coordinators.
final class Reference {
    weak var coordinator: ScriptedCoordinator?
    var notes: [String] = []
}

/// A coordinator that removes another coordinator's screen when it is deallocated.
private final class PartingCoordinator: Coordinator<Never> {
    private weak var other: ScriptedCoordinator?

    init(to other: ScriptedCoordinator) {
        self.other = other
    }

    override func start() {
        push(StepScreen()) { _, _ in }
    }

    deinit {
        other?.pop()
    }
}
