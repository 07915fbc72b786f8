import Testing
import Usher
import UsherJSON

@Suite("Flows")
struct FlowTests {
    @Test func `a parent handles a child's flow only after the child and its screens have left`() throws {
        let root = PlacesCoordinator(
            onFlow: [.second: { $0.show($0.heard.joined(separator: ",")) }]
        ) { root in
            root.show()
            root.start(leaving(towards: PlacesCoordinator.Flow.second))
        }
        let walker = try Walker(root)
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#3"])
        #expect(try walker.text("stack").contains(#"{"note":"left"}"#))
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `a child that leaves with a flow calls its closure before the parent handles the flow`() throws {
        let order = Reference()
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { _ in order.notes.append("flow") }]) { root in
                root.show()
                root.start(leaving(towards: PlacesCoordinator.Flow.first)) { _, outcome in
                    order.notes.append("\(outcome)")
                }
            })
        try walker.send("one")
        #expect(order.notes == ["left", "flow"])
    }

    @Test func `a coordinator that does not handle a flow finishes, and its parent is then asked`() throws {
        let order = Reference()
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { $0.show() }]) { root in
                root.show()
                root.start(
                    ScriptedCoordinator { middle in
                        middle.show()
                        middle.start(leaving(towards: PlacesCoordinator.Flow.first)) { _, outcome in
                            order.notes.append("inner \(outcome)")
                        }
                    }
                ) { _, outcome in order.notes.append("middle \(outcome)") }
            })
        try walker.send("one")
        #expect(order.notes == ["inner left", "middle left"])
        #expect(try walker.stack == ["step#1", "step#4"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }

    @Test func `a parent can handle a flow that another coordinator declares`() throws {
        let root = PlacesCoordinator { root in
            root.takesForeignFlows = true
            root.show()
            root.start(leaving(towards: ForeignFlow.nowhere(secret: "1234")))
        }
        let walker = try Walker(root)
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#3"])
        #expect(root.heard == ["left", "asked"])
    }

    @Test func `Z-36: an input fails if no coordinator handles its flow, and the error omits the flow's payload`()
        throws
    {
        let walker = try Walker(
            PlacesCoordinator { root in
                root.show()
                root.start(
                    ScriptedCoordinator { $0.start(leaving(towards: ForeignFlow.nowhere(secret: "1234"))) })
            })
        let rejection = try walker.rejection(of: #"{"event":"one"}"#)
        #expect(rejection?.kind == .failed)
        #expect(rejection?.reason.contains("ForeignFlow.nowhere") == true)
        #expect(rejection?.reason.contains("1234") == false)
        #expect(walker.tree.isBroken)
    }

    @Test func `throwing Later outside a link counts as not handling the flow`() throws {
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { _ in throw Later() }]) { root in
                root.show()
                root.start(leaving(towards: PlacesCoordinator.Flow.first))
            })
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.reason.contains("PlacesCoordinator.Flow.first") == true)
    }

    @Test func `an input is refused if the coordinator that handles its flow throws a refusal`() throws {
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { _ in throw Refusal("not today") }]) { root in
                root.show()
                root.start(leaving(towards: PlacesCoordinator.Flow.first))
            })
        let rejection = try walker.rejection(of: #"{"event":"one"}"#)
        #expect(rejection?.kind == .refused)
        #expect(rejection?.reason == "not today")
    }

    @Test func `Z-40: a coordinator can be released while its own finish() runs`() throws {
        let weakly = Reference()
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { $0.show() }]) { root in
                root.show()
                let child = ScriptedCoordinator { child in
                    child.show()
                    // When `finish` returns into the child's own `start`, nothing retains the child any more.
                    child.finish(next: PlacesCoordinator.Flow.first)
                    child.show()
                }
                weakly.coordinator = child
                root.start(child)
            })
        #expect(weakly.coordinator == nil)
        #expect(try walker.stack == ["step#1", "step#3"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `Z-40: a closure can continue after it has finished its coordinator`() throws {
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { $0.show() }]) { root in
                root.show()
                root.start(
                    ScriptedCoordinator(onEvent: [
                        .one: { me in
                            me.onEvent = [:]
                            me.finish(next: PlacesCoordinator.Flow.first)
                            me.handles.removeAll()
                            me.finish("again")
                        }
                    ]))
            })
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "step#3"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    private func leaving(towards flow: some Codable & Sendable) -> ScriptedCoordinator {
        ScriptedCoordinator(onEvent: [.one: { $0.finish(next: flow) }])
    }
}
