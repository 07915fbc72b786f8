import Testing
import Usher
import UsherJSON

/// Tests of work that its coordinator cancels or replaces: event `one` starts it, and event `two` cancels it.
@Suite("Cancelling work with its handle")
struct WorkHandleTests {
    @Test func `a cancelled effect is no longer pending, and its closure is never called`() throws {
        let walker = try Walker(Worker { $0.work = $0.perform(Echo()) { $0.note($1.text) } })
        try walker.send("one")
        #expect(walker.pending == ["2.1 echo"])
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try !walker.succeed("2.1"))
        #expect(try walker.notes == [""])
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a cancelled timer is no longer pending, and its closure is never called`() throws {
        let walker = try Walker(Worker { $0.work = $0.after(.seconds(1)) { $0.note("over") } })
        try walker.send("one")
        #expect(walker.pending == ["2.1 timer"])
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try !walker.fire("2.1"))
        #expect(try walker.notes == [""])
    }

    @Test func `forty keystrokes leave only the search for the last text pending`() throws {
        let walker = try Walker(Worker { $0.search() })
        for _ in 1...40 { try walker.send("one") }
        #expect(walker.pending == ["41.1 echo"])
        #expect(try !walker.succeed("40.1"), "an older result comes too late")
        try walker.succeed("41.1")
        #expect(try walker.notes == ["done"])
    }

    @Test func `a newer timer with the same handle replaces the older timer`() throws {
        let walker = try Walker(
            Worker { $0.work = $0.after(.milliseconds(300), replacing: $0.work) { $0.note("quiet") } })
        for _ in 1...40 { try walker.send("one") }
        #expect(walker.pending == ["41.1 timer"])
        try walker.fire("41.1")
        #expect(try walker.notes == ["quiet"])
    }

    @Test func `work that begins with a screen's handle can also be replaced`() throws {
        let walker = try Walker(
            Worker { me in
                me.work = me.screen.perform(Echo(), for: me, replacing: me.work) { $0.note($1.text) }
                me.pause = me.screen.after(.seconds(1), for: me, replacing: me.pause) { $0.note("over") }
            })
        for _ in 1...20 { try walker.send("one") }
        #expect(walker.pending == ["21.1 echo", "21.2 timer"])
    }

    @Test func `an effect can replace a timer, and a timer can replace an effect`() throws {
        let walker = try Walker(
            Worker { $0.work = $0.after(.milliseconds(300), replacing: $0.work) { $0.search() } })
        try walker.send("one")
        try walker.fire("2.1")
        #expect(walker.pending == ["3.1 echo"])
        try walker.send("one")
        #expect(walker.pending == ["4.1 timer"])
    }

    @Test func `work never runs if the input that began the work also cancels it`() throws {
        let walker = try Walker(
            Worker { me in
                me.search()
                #expect(me.work.isPending)
                me.work.cancel()
                #expect(!me.work.isPending)
            })
        try walker.send("one")
        #expect(walker.pending == [])
    }

    @Test func `in the closure of work, the work is no longer pending, and cancelling the work does nothing`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                let worker = Worker { me in
                    me.work = me.perform(Echo()) { me, _ in
                        #expect(!me.work.isPending)
                        me.finish("done")
                        me.work.cancel()
                    }
                }
                root.start(worker) { root, _ in root.show() }
            })
        try walker.send("one")
        try walker.succeed("2.1")
        #expect(try walker.stack == ["step#2"])
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a coordinator that waited only for work ends when the work is cancelled`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.child(Worker.self)?.work.cancel() }]) { root in
                root.show()
                root.start(Worker(onStart: { $0.search() }))
            })
        try walker.back()
        #expect(walker.tree.coordinatorCounts.live == 2)
        try walker.send("one")
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `after the session ends, a handle of work retains no object and cancels nothing`() throws {
        let keeper = Keeper()
        let captured = try keep(in: keeper)
        #expect(captured.object == nil)
        #expect(!keeper.work.isPending)
        keeper.work.cancel()
    }

    @Test(arguments: ["succeed", "cancel"])
    func `a handle of work that has finished retains no object`(end: String) throws {
        let captured = WeakReference()
        let walker = try Walker(
            Worker { me in
                let object = Keeper()
                captured.object = object
                me.work = me.perform(Echo()) { _, _ in object.work.cancel() }
            })
        try walker.send("one")
        #expect(captured.object != nil)
        if end == "succeed" { try walker.succeed("2.1") } else { try walker.send("two") }
        #expect(captured.object == nil)
    }

    /// Starts an effect in a session that has ended when this function returns.
    ///
    /// - Returns: The object that the effect's closure has captured.
    private func keep(in keeper: Keeper) throws -> WeakReference {
        let captured = WeakReference()
        let walker = try Walker(
            Worker { me in
                let object = Keeper()
                captured.object = object
                keeper.work = me.perform(Echo()) { _, _ in object.work.cancel() }
            })
        try walker.send("one")
        #expect(keeper.work.isPending && captured.object != nil)
        return captured
    }
}

/// A coordinator with one screen, whose event `one` starts the test's work, and whose event `two` cancels it.
private final class Worker: Coordinator<String> {
    var work = WorkHandle()
    var pause = WorkHandle()
    private(set) var screen = Handle<StepScreen>()
    private let onStart: (Worker) -> Void
    private let onOne: (Worker) -> Void

    init(_ onOne: @escaping (Worker) -> Void = { _ in }, onStart: @escaping (Worker) -> Void = { _ in }) {
        self.onStart = onStart
        self.onOne = onOne
    }

    override func start() {
        screen = push(StepScreen()) { me, event in
            if event == .one { me.onOne(me) } else { me.work.cancel() }
        }
        onStart(self)
    }

    func search() {
        work = perform(Echo(), replacing: work) { $0.note($1.text) }
    }

    func note(_ text: String) {
        screen.update { $0.note += text }
    }
}

/// An object outside of all sessions.
private final class Keeper {
    var work = WorkHandle()
}

private final class WeakReference {
    weak var object: Keeper?
}
