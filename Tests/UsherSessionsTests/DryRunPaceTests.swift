import Testing

@testable import UsherSessions

@Suite("The pace of dry runs")
struct DryRunPaceTests {
    private static let millisecond: Int64 = 1_000_000

    private let pace = DryRunPace()
    private let random = CountingRandom()

    /// Has a session's first dry run at the time 0.
    private func session(whichTook time: Int64) -> SessionID {
        let session = SessionID(from: random)
        pace.note(time)
        #expect(pace.delay(of: session, at: 0) == 0)
        return session
    }

    @Test(arguments: [(took: 1, rest: 10), (took: 3, rest: 30), (took: 3_000, rest: 100)])
    func `a session that had one rests ten times as long as it took, and at most 100 ms`(took: Int64, rest: Int64) {
        let session = session(whichTook: took * Self.millisecond)
        #expect(pace.delay(of: session, at: Self.millisecond) == (rest - 1) * Self.millisecond)
        #expect(pace.delay(of: session, at: 2 * rest * Self.millisecond) == 0)
    }

    @Test func `another session does not wait`() {
        _ = session(whichTook: 5 * Self.millisecond)
        #expect(pace.delay(of: SessionID(from: random), at: 0) == 0)
    }

    @Test func `sessions that wait begin one after the other`() {
        let (one, other) = (session(whichTook: Self.millisecond), session(whichTook: Self.millisecond))
        #expect(pace.delay(of: other, at: 0) == 20 * Self.millisecond)
        #expect(pace.delay(of: one, at: 0) == 30 * Self.millisecond)
    }

    @Test func `nobody waits for longer than a second, however many are before`() {
        let first = session(whichTook: 10 * Self.millisecond)
        for _ in 0..<100 { #expect(pace.delay(of: SessionID(from: random), at: 0) == 0) }
        #expect(pace.delay(of: first, at: 0) == 1_000 * Self.millisecond)
        #expect(pace.delay(of: first, at: 2_001 * Self.millisecond) == 0)
    }
}
