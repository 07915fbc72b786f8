import Testing
import Usher
import UsherJSON

@Suite("Limits")
struct LimitTests {
    @Test func `E-12: the 65th screen is refused, and the error names the limit`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.show() }]))
        for _ in 0..<63 { try walker.send("one") }
        #expect(try walker.stack.count == 64)
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .limit)
        #expect(rejection.reason.contains("64 screens"))
    }

    @Test func `coordinators that start new coordinators endlessly are stopped at the limit`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { Self.startForEver($0) }]))
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .limit)
        #expect(rejection.reason.contains("128 live coordinators"))
    }

    @Test func `flows that restart each other endlessly are stopped at the limit`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { Self.restartForEver($0) }]))
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .limit)
        #expect(rejection.reason.contains("256"))
    }

    @Test func `a child that is started anew each time its screen has left is stopped at the limit`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { Self.desertForEver($0) }]))
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.kind == .limit)
    }

    @Test func `an input is refused if the state would exceed 64 KiB, and succeeds after state was removed`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in me.show(String(repeating: "x", count: 30_000)) },
                .two: { me in me.pop() },
            ]))
        try walker.send("one")
        try walker.send("one")
        try walker.send("two")
        try walker.send("one")
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .limit)
        #expect(rejection.reason.contains("65536 bytes"))
    }

    @Test func `a replayed input may exceed a lowered limit of state, but the next input may not enlarge the state`()
        throws
    {
        var limits = Limits()
        limits.stateBytes = 1_000
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in me.show(String(repeating: "x", count: 2_000)) }, .two: { $0.note("more") },
                .three: { $0.popToRoot() },
            ]), limits: limits)
        let event = try JSONDocument(parsing: Array(#""one""#.utf8)).root
        let input = InputAction.event(screen: nil, event: event)
        #expect(try walker.tree.handle(Input(input, at: Timestamp(milliseconds: 1)), isRecorded: true))
        #expect(try walker.stack.count == 2)
        try walker.send("three")
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.reason.contains("1000 bytes") == true)
    }

    private static func startForEver(_ coordinator: ScriptedCoordinator) {
        coordinator.start(ScriptedCoordinator { startForEver($0) })
    }

    private static func restartForEver(_ coordinator: ScriptedCoordinator) {
        coordinator.start(ScriptedCoordinator { $0.finish("") }) { me, _ in restartForEver(me) }
    }

    private static func desertForEver(_ coordinator: ScriptedCoordinator) {
        coordinator.start(
            ScriptedCoordinator { me in
                me.show()
                me.pop()
            }
        ) { me, _ in desertForEver(me) }
    }
}
