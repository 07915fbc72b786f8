import Testing
import Usher
import UsherJSON

@Suite("Nesting")
struct NestingTests {
    @Test func `E-03: three nested coordinators of the same type have separate states, ids and results`() throws {
        let walker = try Walker(CountingCoordinator(depth: 0))
        for _ in 0..<3 { try walker.send("deeper") }
        #expect(try walker.stacks == ["root[1, 2, 3, 4]"])
        #expect(try paths(walker).last == "counting/counting/counting/counting")
        try walker.send("count")
        try walker.send("count")
        #expect(try states(walker) == [[0, 0], [1, 0], [2, 0], [3, 2]])

        try walker.send("done")
        #expect(try walker.stacks == ["root[1, 2, 3]"])
        #expect(try states(walker) == [[0, 0], [1, 0], [2, 102]], "its parent alone got the outcome")
        try walker.send("count")
        try walker.send("done")
        #expect(try states(walker) == [[0, 0], [1, 203]])
        try walker.send("deeper")
        #expect(try walker.stacks == ["root[1, 2, 5]"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 5, finished: 2, leaked: 0))
    }

    @Test func `the state of a deep tree grows linearly with its screens`() throws {
        var limits = Limits()
        (limits.screens, limits.coordinators, limits.stateBytes) = (400, 400, 1 << 20)
        let walker = try Walker(CountingCoordinator(depth: 0), limits: limits)
        var sizes: [Int] = []
        for count in 1...300 {
            try walker.send("deeper")
            if count % 100 == 0 { sizes.append(try walker.text("stack").utf8.count) }
        }
        #expect(sizes[2] - sizes[1] < (sizes[1] - sizes[0]) * 11 / 10, "\(sizes)")
        let paths = try paths(walker)
        #expect(paths[27] == Array(repeating: "counting", count: 28).joined(separator: "/"), "a short one is whole")
        #expect(paths.allSatisfy { $0.utf8.count <= 256 })
        #expect(paths[300].hasPrefix("counting/…/counting/"))
        try walker.send("done")
        #expect(try walker.stack.count == 300)
    }

    @Test func `E-04: if five nested coordinators finish in start(), they show no screen and finish in order`() throws {
        let order = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { root in Self.nest(5, under: root, noting: order) }]))
        try walker.send("one")
        #expect(order.notes == [1, 2, 3, 4, 5].map { "\($0) finished(\"\($0)\")" })
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("changes") == "[]")
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 6, finished: 5, leaked: 0))
    }

    @Test func `E-04: the outermost of five coordinators can finish while the innermost coordinator starts`() throws {
        let order = Reference()
        let outermost = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    let child = ScriptedCoordinator { Self.descend($0, 4) { outermost.coordinator?.finish("all") } }
                    outermost.coordinator = child
                    root.start(child) { _, outcome in order.notes.append("\(outcome)") }
                }
            ]))
        try walker.send("one")
        #expect(order.notes == [#"finished("all")"#])
        #expect(try walker.stacks == ["root[1]"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 6, finished: 5, leaked: 0))
    }

    @Test func `E-07: popping a grandparent's screen cancels every coordinator above it, deepest first`() throws {
        let order = Reference()
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.start(
                    ScriptedCoordinator { grandparent in
                        grandparent.show()
                        grandparent.show()
                        grandparent.start(
                            ScriptedCoordinator { parent in
                                parent.show()
                                parent.start(ScriptedCoordinator()) { _, outcome in
                                    order.notes.append("leaf \(outcome)")
                                }
                            }
                        ) { _, outcome in order.notes.append("parent \(outcome)") }
                    }
                ) { _, outcome in order.notes.append("grandparent \(outcome)") }
            })
        #expect(try walker.handle(#"{"popped":3}"#))
        #expect(try walker.stacks == ["root[1, 2]"])
        #expect(try walker.text("changes") == #"[{"pop":[5,4,3]}]"#)
        #expect(order.notes == ["leaf cancelled", "parent cancelled"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 4, finished: 2, leaked: 0))
    }

    @Test func `E-09: after finish(), every call for navigation does nothing, with one warning each`() throws {
        let walker = try Walker(
            ScriptedCoordinator.starting([
                .one: { child in
                    child.finish("")
                    child.show()
                    child.show(as: .sheet)
                    child.present(ScriptedCoordinator(), as: .fullScreen)
                    child.start(ScriptedCoordinator())
                    child.start(ScriptedCoordinator()) { _, _ in }
                    child.replace(with: ScriptedCoordinator())
                    child.tabs(Tab.self, selected: .home) { _, _ in ScriptedCoordinator() }
                    child.dismiss()
                    child.pop()
                    child.finish("again")
                }
            ]))
        try walker.send("one")
        try walker.send("one")
        let warnings = try walker.state[member: "warnings"]?.elements.compactMap(\.string) ?? []
        let operations = ["push", "present", "present", "start", "start", "replace", "tabs", "dismiss", "pop"]
        #expect(warnings == operations.map { "ScriptedCoordinator has ended: `\($0)` did nothing" })
        #expect(try walker.stacks == ["root[1]"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    private static func nest(_ depth: Int, under parent: ScriptedCoordinator, noting order: Reference) {
        guard depth > 0 else { return }
        parent.start(
            ScriptedCoordinator { me in
                nest(depth - 1, under: me, noting: order)
                me.finish("\(depth)")
            }
        ) { _, outcome in order.notes.append("\(depth) \(outcome)") }
    }

    private static func descend(_ coordinator: ScriptedCoordinator, _ depth: Int, then act: @escaping () -> Void) {
        guard depth > 0 else { return act() }
        coordinator.start(ScriptedCoordinator { descend($0, depth - 1, then: act) })
        coordinator.show()
    }

    private func paths(_ walker: Walker) throws -> [String] {
        try walker.state[member: "stack"]?.elements.compactMap { $0[member: "coordinator"]?.string } ?? []
    }

    private func states(_ walker: Walker) throws -> [[Int]] {
        try walker.state[member: "stack"]?.elements.map { entry in
            ["depth", "count"].compactMap { entry[member: "state"]?[member: $0]?.integer }
        } ?? []
    }
}

/// A flow that starts itself.
private final class CountingCoordinator: Coordinator<Int> {
    struct CountScreen: Screen {
        enum Event: Codable, CaseIterable { case count, deeper, done }
        let depth: Int
        var count = 0
    }

    private let depth: Int
    private var screen: Handle<CountScreen>?

    init(depth: Int) {
        self.depth = depth
    }

    override func start() {
        screen = push(CountScreen(depth: depth)) { me, event in
            switch event {
            case .count: me.screen?.update { $0.count += 1 }
            case .deeper: me.goDeeper()
            case .done: me.finish(me.screen?.screen?.count ?? 0)
            }
        }
    }

    private func goDeeper() {
        start(CountingCoordinator(depth: depth + 1)) { me, outcome in
            guard case .finished(let count) = outcome else { return }
            me.screen?.update { $0.count += 100 + count }
        }
    }
}
