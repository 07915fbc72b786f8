import Testing
import Usher
import UsherJSON

@Suite("Timers")
struct TimerTests {
    @Test func `a timer fires on the session's clock and calls its closure`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { me in me.after(.seconds(2)) { $0.note("\($0.now.milliseconds)") } }]))
        try walker.send("one")
        #expect(walker.pending == ["2.1 timer"])
        #expect(try walker.text("pending") == #"["timer"]"#)
        // The event was handled at 1 s.
        #expect(walker.tree.work.first?.due == Timestamp(milliseconds: 3_000))
        try walker.fire("2.1")
        #expect(try walker.notes == ["2000"])
        #expect(walker.pending == [])
    }

    @Test func `a timer can start the next timer`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.tick() }]))
        try walker.send("one")
        for revision in 2...5 { try walker.fire("\(revision).1") }
        #expect(walker.pending == ["6.1 timer"])
        #expect(try walker.notes == ["...."])
    }

    @Test(arguments: [
        (Duration.zero, Int64(0)), (.milliseconds(1), 1), (.nanoseconds(1), 1), (.microseconds(1_001), 2),
        (.seconds(-3), -3_000), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min), (.nanoseconds(-1), 0),
    ])
    func `adding a duration to a time rounds up and never overflows`(
        duration: Duration, milliseconds: Int64
    ) {
        #expect(Timestamp(milliseconds: 0).advanced(by: duration) == Timestamp(milliseconds: milliseconds))
        #expect(Timestamp(milliseconds: .max).advanced(by: .seconds(1)) == Timestamp(milliseconds: .max))
    }

    @Test func `a timer whose closure throws an error is refused, with a warning`() throws {
        let script: ScriptedCoordinator.Script = { me in me.after(.zero) { _ in throw Refusal("no") } }
        let broken = try Walker(ScriptedCoordinator(onEvent: [.one: script]))
        try broken.send("one")
        #expect(throws: Rejection.self) { try broken.fire("2.1") }
        let rebuilt = try Walker(ScriptedCoordinator(onEvent: [.one: script]))
        try rebuilt.send("one")
        try rebuilt.refuse("2.1", "no")
        #expect(try rebuilt.text("warnings") == #"["scripted: a timer was refused: no"]"#)
    }
}

extension ScriptedCoordinator {
    fileprivate func tick() {
        after(.milliseconds(500)) { me in
            me.note(".")
            me.tick()
        }
    }
}
