import Testing
import Usher
import UsherJSON

@Suite("Effects: when they are cancelled")
struct EffectLifeTests {
    @Test func `an effect or a timer is cancelled when its coordinator ends`() throws {
        let walker = try Walker(
            ScriptedCoordinator.starting([.two: { $0.finish("") }]) { me in
                me.show()
                me.echo()
                me.after(.seconds(1)) { _ in }
            })
        try walker.send("one")
        #expect(walker.pending.count == 2)
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try !walker.succeed("2.1"))
        #expect(walker.tree.leaks == [])
    }

    @Test func `a coordinator is not cancelled while its child waits for work`() throws {
        let walker = try Walker(
            ScriptedCoordinator { me in
                me.show()
                me.present(
                    ScriptedCoordinator(onEvent: [.one: { $0.start(ScriptedCoordinator { $0.echo() }) }]), as: .sheet)
            })
        try walker.send("one")
        #expect(walker.pending == ["2.1 echo"])
        try walker.handle(#"{"dismissed":2}"#)
        #expect(walker.pending == ["2.1 echo"])
        #expect(walker.tree.end() == [])
        #expect(walker.pending == [])
    }

    @Test func `work is cancelled when an ancestor of its coordinator ends`() throws {
        let walker = try Walker(
            ScriptedCoordinator { me in
                me.show()
                me.present(
                    ScriptedCoordinator(onEvent: [
                        .one: { $0.start(ScriptedCoordinator { $0.echo() }) }, .two: { $0.finish("") },
                    ]), as: .sheet)
            })
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }

    @Test func `work that a screen's event began is cancelled when the screen leaves`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.show() }, .two: { $0.echo() }]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == ["3.1 echo"])
        try walker.back()
        #expect(walker.pending == [])
        #expect(try !walker.succeed("3.1"))
    }

    @Test func `work that an effect's closure begins is cancelled when the effect's screen leaves`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.show() },
                .two: { me in
                    me.perform(Echo()) { me, _ in
                        me.after(.seconds(1)) { me in me.echo() }
                    }
                },
            ]))
        try walker.send("one")
        try walker.send("two")
        try walker.succeed("3.1")
        try walker.fire("4.1")
        #expect(walker.pending == ["5.1 echo"])
        try walker.back()
        #expect(walker.pending == [])
    }

    @Test func `work that a coordinator begins in start() is not cancelled when a screen leaves`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.show() },
                .two: { me in
                    me.start(ScriptedCoordinator { $0.echo() })
                    me.echo()
                },
            ]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == ["3.1 echo", "3.2 echo"])
        try walker.back()
        #expect(walker.pending == ["3.1 echo"])
    }

    @Test func `work that an alert's event began continues, because the alert had left before the event was handled`()
        throws
    {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.show(as: .alert) }, .two: { $0.echo() }]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == ["3.1 echo"])
        try walker.succeed("3.1")
        #expect(try walker.notes == ["done"])
    }

    @Test func `after two hundred modals are pulled down, no work and no memory is left`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in me.present(ScriptedCoordinator(onEvent: [.two: { $0.echo() }]), as: .sheet) }
            ]))
        for round in 1...200 {
            try walker.send("one")
            try walker.send("two")
            #expect(walker.tree.work.count == 1)
            try walker.handle(#"{"dismissed":\#(round + 1)}"#)
            #expect(walker.tree.work.isEmpty)
        }
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 201, finished: 200, leaked: 0))
    }

    @Test func `a coordinator that waits for work is cancelled only after the work's result`() throws {
        let parent = ScriptedCoordinator(onEvent: [
            .one: { me in
                me.start(
                    ScriptedCoordinator { me in
                        me.show()
                        me.echo()
                    })
            }
        ])
        let walker = try Walker(parent)
        try walker.send("one")
        try walker.back()
        #expect(walker.tree.coordinatorCounts.live == 2)
        try walker.succeed("2.1")
        #expect(walker.tree.coordinatorCounts.live == 1)
        #expect(parent.ended == ["cancelled"])
        #expect(walker.tree.leaks == [])
    }

    @Test func `a coordinator that waited for work is cancelled when the work's result is refused`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.start(
                        ScriptedCoordinator { me in
                            me.show()
                            me.echo()
                        })
                }
            ]))
        try walker.send("one")
        try walker.back()
        try walker.refuse("2.1", "why")
        #expect(walker.tree.coordinatorCounts.live == 1)
    }

    @Test(arguments: ["perform", "after"])
    func `E-09: a call of perform() or after() does nothing after finish(), and causes one warning`(operation: String)
        throws
    {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.start(
                        ScriptedCoordinator { me in
                            me.finish("")
                            if operation == "perform" { me.echo() } else { me.after(.seconds(1)) { _ in } }
                        })
                }
            ]))
        try walker.send("one")
        #expect(walker.pending == [])
        #expect(try walker.text("warnings") == #"["ScriptedCoordinator has ended: `\#(operation)` did nothing"]"#)
    }

    @Test func `the end of the root cancels all work`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.echo() }, .two: { $0.finish("bye") }]))
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try walker.text("pending") == "[]")
        #expect(try !walker.succeed("2.1"))
    }

    @Test func `an effect's result that finishes its coordinator leaves nothing in memory`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.start(
                        ScriptedCoordinator { me in
                            me.show()
                            me.perform(Echo()) { me, _ in me.finish("") }
                            me.echo()
                        })
                }
            ]))
        try walker.send("one")
        try walker.succeed("2.1")
        #expect(walker.pending == [])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `an object that is released together with a dropped tree cannot change the tree`() throws {
        var words: [String] = []
        var walker: Walker? = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    let last = LastWords { [weak me] in
                        words.append(me == nil ? "alone" : "not alone")
                        me?.show()
                        me?.echo()
                        me?.cancel()
                        me?.handles.first?.update { $0.note = "too late" }
                    }
                    me.perform(Echo()) { _, _ in withExtendedLifetime(last) {} }
                }
            ]))
        try walker?.send("one")
        walker = nil
        #expect(words.count == 1)
    }

    @Test
    func `an object that is released when its coordinator ends cannot begin work for the coordinator`()
        throws
    {
        let walker = try Walker(
            ScriptedCoordinator.starting([.two: { $0.finish("") }]) { me in
                me.show()
                let last = LastWords { [weak me] in me?.echo() }
                me.perform(Echo()) { _, _ in withExtendedLifetime(last) {} }
            })
        try walker.send("one")
        try walker.send("two")
        #expect(walker.pending == [])
        #expect(try walker.text("warnings") == #"["ScriptedCoordinator has ended: `perform` did nothing"]"#)
        #expect(walker.tree.leaks == [])
    }

    @Test func `an object that is released together with cancelled work may change the tree`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.show()
                    let last = LastWords { [weak me] in me?.echo() }
                    me.handles.last?.perform(Echo(), for: me) { _, _ in withExtendedLifetime(last) {} }
                }
            ]))
        try walker.send("one")
        try walker.back()
        #expect(walker.pending == ["3.1 echo"])
    }
}
