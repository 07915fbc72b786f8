import Testing
import Usher
import UsherJSON

@Suite("Effects: replay")
struct EffectReplayTests {
    @Test func `a replay lists the same work with the same ids, and does not run the work`() throws {
        let walker = try walk()
        let twin = try replay(walker.inputs)
        #expect(walker.pending == ["4.1 echo", "6.1 unrunnable", "7.1 timer"])
        #expect(twin.pending == walker.pending)
        #expect(twin.tree.work.map(\.due) == walker.tree.work.map(\.due))
        #expect(twin.tree.digest == walker.tree.digest)
        #expect(try twin.text("stack") == walker.text("stack"))
    }

    @Test func `a replay of the recorded inputs gives a tree with the same digest`() throws {
        let walker = try walk()
        let read = try walker.inputs.map { input in
            var writer = JSONWriter()
            input.write(into: &writer)
            return Input(
                try InputContent(payload: JSONDocument(parsing: writer.bytes).root), at: input.time)
        }
        #expect(try replay(read).tree.digest == walker.tree.digest)
        #expect(try replay(read).notes == walker.notes)
    }

    @Test(arguments: [
        #"{"effect":"7.1","success":{"name":"kim"}}"#, #"{"effect":"7.1","success":null}"#,
        #"{"effect":"7.1","failure":{"code":"offline","message":"no network"}}"#, #"{"timer":"7.1"}"#,
        #"{"refused":"7.1","reason":"a \"why\""}"#, #"{"message":{"letter":{"text":"hello"}}}"#,
        #"{"screen":4,"event":"close"}"#, #"{"back":true}"#,
    ])
    func `an input in the journal is the same after writing and reading it`(payload: String) throws {
        let json = try JSONDocument(parsing: Array(payload.utf8)).root
        var writer = JSONWriter()
        try Input(payload: json, at: Timestamp(milliseconds: 0)).write(into: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == payload)
    }

    @Test(arguments: [
        #"{"effect":"7"}"#, #"{"effect":7,"success":1}"#, #"{"effect":"7.1"}"#, #"{"effect":"7.1","failure":{}}"#,
        #"{"timer":"x"}"#, #"{"refused":"7.1"}"#, "{}",
    ])
    func `reading a damaged payload causes an error`(payload: String) throws {
        let json = try JSONDocument(parsing: Array(payload.utf8)).root
        #expect(throws: JSONError.self) { try InputContent(payload: json) }
    }

    @Test(arguments: [
        #"{"effect":"2.1","success":"x"}"#, #"{"timer":"2.1"}"#, #"{"refused":"2.1","reason":"x"}"#, #"{"message":1}"#,
    ])
    func `a client cannot send an input that only the session may create`(body: String) throws {
        let json = try JSONDocument(parsing: Array(body.utf8)).root
        #expect(throws: JSONError.self) { try InputAction(json) }
    }

    @Test func `pending work is part of the digest`() throws {
        let idle = try Walker(ScriptedCoordinator(onEvent: [.one: { _ in }]))
        let busy = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo() }]))
        try idle.send("one")
        #expect(idle.tree.digest == busy.tree.digest)
        try busy.send("one")
        #expect(idle.tree.digest != busy.tree.digest)
        try busy.succeed("2.1")
        #expect(idle.tree.digest == busy.tree.digest)
    }

    private func walk() throws -> Walker {
        let walker = try Walker(root())
        for event in ["one", "one", "one"] { try walker.send(event) }
        try walker.succeed("2.1", #""first""#)
        try walker.send("two")
        try walker.send("three")
        try walker.refuse("3.1", "why")
        return walker
    }

    private func replay(_ inputs: [Input]) throws -> Walker {
        let twin = try Walker(root())
        for input in inputs { #expect(try twin.tree.handle(input)) }
        return twin
    }

    private func root() -> ScriptedCoordinator {
        ScriptedCoordinator(onEvent: [
            .one: { $0.echo() },
            .two: { $0.perform(Unrunnable()) { _, _ in } },
            .three: { $0.after(.seconds(9)) { _ in } },
        ])
    }
}

/// An effect that must not run.
private struct Unrunnable: Effect {
    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput {
        Issue.record("it ran")
        return NoOutput()
    }
}
