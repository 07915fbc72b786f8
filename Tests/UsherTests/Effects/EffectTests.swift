import Testing
import Usher
import UsherJSON

@Suite("Effects")
struct EffectTests {
    @Test func `an effect is pending until the effect's closure is called with the result`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        try walker.send("one")
        #expect(walker.pending == ["2.1 echo"])
        #expect(try walker.text("pending") == #"["echo"]"#)
        #expect(try walker.succeed("2.1"))
        #expect(walker.pending == [])
        #expect(try walker.text("pending") == "[]")
        #expect(try walker.notes == ["done"])
        #expect(walker.tree.revision == 3)
    }

    @Test func `if an effect fails, its closure is called with the failure's code`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        try walker.send("one")
        try walker.fail("2.1", "offline")
        #expect(try walker.notes == ["offline"])
    }

    @Test func `an effect that begins in start() has the first revision in its id`() throws {
        let walker = try Walker(
            ScriptedCoordinator { me in
                me.show()
                me.echo()
                me.echo()
            })
        #expect(walker.pending == ["1.1 echo", "1.2 echo"])
    }

    @Test func `an exploration tries each example of a pending effect's value`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { $0.perform(Question(answers: ["yes", "no"])) { _, _ in } },
                .two: { $0.perform(Question(answers: [])) { _, _ in } },
            ]))
        try walker.send("one")
        let first = OfferList(of: walker.tree)
        #expect(
            first.offers.map(\.label).filter { $0.contains("succeeds") } == [
                "question succeeds", "question succeeds (2)",
            ])
        #expect(first.gaps == [])
        try walker.send("two")
        #expect(
            OfferList(of: walker.tree).gaps == ["the effect \"question\" has no examples, so its success was not tried"]
        )
    }

    @Test func `several effects can finish in any order`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        for _ in 1...3 { try walker.send("one") }
        try walker.succeed("4.1", #""c""#)
        try walker.succeed("2.1", #""a""#)
        #expect(walker.pending == ["3.1 echo"])
        try walker.succeed("3.1", #""b""#)
        #expect(try walker.notes == ["cab"])
    }

    @Test func `an effect's result can begin the next effect, and finish a coordinator that waited`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.start(ScriptedCoordinator { $0.chain(3) }) { me, outcome in me.note("\(outcome)") }
                }
            ]))
        try walker.send("one")
        try walker.succeed("2.1", #""x""#)
        #expect(walker.pending == ["3.1 echo"])
        try walker.succeed("3.1", #""y""#)
        try walker.succeed("4.1", #""z""#)
        #expect(walker.pending == [])
        #expect(try walker.notes == [#"finished("z")"#])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `a late result and a result of an unknown effect change nothing`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        try walker.send("one")
        try walker.succeed("2.1")
        let state = try walker.text("stack")
        for id in ["2.1", "2.2", "1.1", "9.1"] {
            #expect(try !walker.succeed(id))
            #expect(try !walker.fire(id))
            #expect(try !walker.refuse(id, "why"))
        }
        #expect(try walker.text("stack") == state)
        #expect(walker.tree.revision == 3)
    }

    @Test func `an input that fires a timer cannot finish an effect, and a result cannot fire a timer`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.echo()
                    me.after(.seconds(1)) { $0.note("tick") }
                }
            ]))
        try walker.send("one")
        #expect(try !walker.fire("2.1"))
        #expect(try !walker.succeed("2.2"))
        #expect(walker.pending == ["2.1 echo", "2.2 timer"])
    }

    @Test func `an input that fails begins no effect`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.echo()
                    throw Refusal("no")
                }
            ]))
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.reason == "no")
        #expect(walker.tree.isBroken)
        #expect(walker.tree.revision == 1)
    }

    @Test func `an effect's closure that throws an error breaks the tree, and the result can be refused instead`()
        throws
    {
        let script: ScriptedCoordinator.Script = { me in
            me.perform(Echo()) { _, _ in throw Refusal("not like that") }
        }
        let broken = try Walker(ScriptedCoordinator(onEvent: [.one: script]))
        try broken.send("one")
        let rejection = try #require(throws: Rejection.self) { try broken.succeed("2.1") }
        #expect(rejection.kind == .refused)
        #expect(broken.tree.isBroken)

        let rebuilt = try Walker(ScriptedCoordinator(onEvent: [.one: script]))
        try rebuilt.send("one")
        #expect(try rebuilt.refuse("2.1", "not like that"))
        #expect(rebuilt.tree.revision == 3)
        #expect(rebuilt.pending == [])
        #expect(
            try rebuilt.text("warnings")
                == #"["scripted: the result of the effect \"echo\" was refused: not like that"]"#)
    }

    @Test func `a closure that throws an error is called once more with a failure, and then never again`() throws {
        let id = try #require(EffectID("2.1"))
        let told = try #require(InputContent.result(id, .success(Array("7".utf8))).refused("too much"))
        guard case .result(id, .failure(let failure)) = told else { throw Refusal("its closure is not called") }
        #expect(failure == EffectFailure(code: "resultRefused", message: "too much"))
        guard case .refused(id, "again") = told.refused("again") else { throw Refusal("it is called once more") }
        guard case .refused(id, "no") = InputContent.timer(id).refused("no") else { throw Refusal("a timer is told") }
    }

    @Test func `if a result is refused, the effect's closure gets a failure, and a warning tells the author`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        try walker.send("one")
        try walker.fail("2.1", "resultRefused")
        #expect(try walker.notes == ["resultRefused"])
        #expect(
            try walker.text("warnings")
                == #"["scripted: the result of the effect \"echo\" was refused: it did not work"]"#)
    }

    @Test(arguments: ["7", #"{"text":"x"}"#, "null", #"["x"]"#])
    func `an effect's output that has an invalid shape breaks the tree, and the error names the effect`(json: String)
        throws
    {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        try walker.send("one")
        let rejection = try #require(throws: Rejection.self) { try walker.succeed("2.1", json) }
        #expect(rejection.kind == .failed)
        #expect(rejection.reason == #"the output of the effect "echo" does not decode"#)
        #expect(rejection.cause != nil)
        #expect(walker.tree.isBroken)
    }

    @Test func `the 33rd pending effect is refused, and the error names the limit`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.echo() }, .two: { $0.after(.seconds(1)) { _ in } }]))
        for _ in 1...31 { try walker.send("one") }
        try walker.send("two")
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.kind == .limit)
        let fresh = try Walker(
            ScriptedCoordinator(onEvent: [.one: { me in for _ in 1...33 { me.echo() } }, .two: { $0.echo() }]))
        #expect(try fresh.rejection(of: #"{"event":"one"}"#)?.reason.contains("32 effects") == true)
    }

    @Test func `after an effect finishes, another effect may begin`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        for _ in 1...32 { try walker.send("one") }
        try walker.succeed("2.1")
        try walker.send("one")
        #expect(walker.pending.count == 32)
    }

    @Test func `an effect's name is the name of the effect's type without the suffix Effect`() {
        #expect(Echo.name == "echo")
        #expect(CountEffect.name == "count")
    }

    @Test(arguments: [
        "", "7", "7.", ".1", "7.1.1", "+7.1", "07.1", "7.0", "0.1", "7.-1", "a.b", "99999999999999999999.1",
    ])
    func `an invalid effect id is refused`(text: String) {
        #expect(EffectID(text) == nil)
    }

    @Test func `the ids of effects have the same order as the beginnings of the effects`() throws {
        let names = ["10.1", "2.10", "2.9"].compactMap(EffectID.init)
        #expect(names.sorted().map(\.description) == ["2.9", "2.10", "10.1"])
    }

    @Test func `the operator's report shows which coordinators have pending work`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { me in me.start(ScriptedCoordinator { $0.echo() }) }]))
        try walker.send("one")
        let root = try #require(try walker.report[member: "root"])
        let child = try #require(root[member: "children"]?.elements.first { _ in true })
        #expect(root[member: "work"].map { Array($0.elements).count } == 0)
        #expect(
            child[member: "work"].map { String(decoding: $0.bytes, as: UTF8.self) }
                == #"[{"id":"2.1","name":"echo"}]"#)
    }
}

extension ScriptedCoordinator {
    /// Runs a number of effects one after the other, and finishes with the last one's output.
    fileprivate func chain(_ count: Int) {
        perform(Echo()) { me, result in
            if count > 1 { me.chain(count - 1) } else { me.finish(try result.get()) }
        }
    }
}

/// An effect whose possible outputs depend on its value.
private struct Question: Effect {
    let answers: [String]

    var examples: [String] { answers }

    func run(_ context: EffectContext<NoServices>) async throws -> String { "" }
}
