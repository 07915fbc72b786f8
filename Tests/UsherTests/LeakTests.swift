import Testing
import Usher
import UsherJSON

@Suite("Leaks of coordinators")
struct LeakTests {
    @Test func `a coordinator that stays in memory after its end is reported as a leak in the same response`() throws {
        let keeper = Keeper()
        let walker = try Walker(planting { keeper.kept.append($0) })
        try walker.send("one")
        #expect(walker.tree.leaks == [])
        try walker.back()
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 1))
        #expect(
            try walker.text("leaks")
                == #"[{"type":"ScriptedCoordinator","coordinator":"scripted/scripted","revision":3,"input":"back"}]"#)
    }

    @Test func `a coordinator is a leak if its own closure retains it`() throws {
        let walker = try Walker(
            planting { child in
                child.onEvent[.three] = { [child] _ in child.show() }
            })
        try walker.send("one")
        try walker.back()
        #expect(walker.tree.coordinatorCounts.leaked == 1)
    }

    @Test func `if a coordinator retains its finished sibling, only the sibling is a leak`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                let sibling = HoardingCoordinator()
                root.start(sibling)
                let child = ScriptedCoordinator()
                sibling.hoard.append(child)
                root.start(child)
            })
        try walker.handle(#"{"popped":2}"#)
        #expect(walker.tree.leaks.map(\.type) == ["ScriptedCoordinator"])
    }

    @Test func `if the top coordinator of a removed subtree is retained, only that coordinator is a leak`() throws {
        let keeper = Keeper()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    let top = ScriptedCoordinator { me in
                        me.show()
                        me.start(ScriptedCoordinator())
                    }
                    keeper.kept.append(top)
                    root.start(top)
                }
            ]))
        try walker.send("one")
        try walker.handle(#"{"popped":2}"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 1))
    }

    @Test func `each leak is counted only once`() throws {
        let keeper = Keeper()
        let walker = try Walker(planting { keeper.kept.append($0) })
        try walker.send("one")
        try walker.back()
        for _ in 0..<3 {
            try walker.send("two")
        }
        #expect(walker.tree.coordinatorCounts.leaked == 1)
    }

    @Test func `a coordinator that leaks retains nothing else of its tree`() throws {
        let keeper = Keeper()
        weak var tree: Tree?
        do {
            let walker = try Walker(planting { keeper.kept.append($0) })
            try walker.send("one")
            tree = walker.tree
        }
        #expect(tree == nil)
        keeper.kept.first?.show()
        #expect(keeper.kept.count == 1)
    }

    @Test func `a root coordinator that finishes in its own start() is not a leak`() throws {
        final class BriefCoordinator: Coordinator<Int> {
            override func start() { finish(1) }
        }
        let tree = try Tree(root: BriefCoordinator(), seed: 1, time: Timestamp(milliseconds: 0))
        #expect(tree.leaks == [])
        #expect(tree.coordinatorCounts == CoordinatorCounts(created: 1, finished: 1, leaked: 0))
    }

    @Test func `every leak is counted, and the first 64 are listed`() throws {
        let keeper = Keeper()
        let walker = try Walker(planting { keeper.kept.append($0) })
        for _ in 0..<70 {
            try walker.send("one")
            try walker.back()
        }
        #expect(walker.tree.coordinatorCounts.leaked == 70)
        #expect(walker.tree.leaks.count == 64)
    }

    @Test func `when a session is ended from outside, all its coordinators are released`() throws {
        let walker = try Walker(planting { _ in })
        try walker.send("one")
        #expect(walker.tree.end() == [])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 2, leaked: 0))
    }

    @Test func `a coordinator that ends while its handler runs is not a leak`() throws {
        let walker = try Walker(
            ScriptedCoordinator.starting([
                .one: { child in
                    let mine = child
                    mine.finish("")
                    mine.ended.append("still running")
                }
            ]))
        try walker.send("one")
        try walker.send("one")
        #expect(walker.tree.coordinatorCounts.leaked == 0)
    }

    private func planting(
        _ plant: @escaping (ScriptedCoordinator) -> Void
    ) -> ScriptedCoordinator {
        ScriptedCoordinator(onEvent: [
            .one: { root in
                let child = ScriptedCoordinator()
                plant(child)
                root.start(child)
            },
            .two: { _ in },
        ])
    }
}

/// An object that retains coordinators, which it should not.
private final class Keeper {
    var kept: [ScriptedCoordinator] = []
}

/// A coordinator that stores others, which it should not.
private final class HoardingCoordinator: Coordinator<Never> {
    var hoard: [AnyCoordinator] = []
}
