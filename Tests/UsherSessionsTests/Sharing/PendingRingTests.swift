import Testing
import UsherJournal

@testable import UsherSessions

@Suite("Notifications about watched sessions")
struct PendingRingTests {
    private let ids = (0..<2).map { SessionID(JournalKey(high: 1, low: $0)) }

    @Test func `a watched session is confirmed again if a notification about it arrives during the confirmation`() {
        var rings = PendingRings()
        let begins = [0, 1, 0, 0, 0].map { rings.begin(ids[$0]) }
        #expect(begins == [true, true, false, false, false])
        let goesOn = [0, 0, 1].map { rings.goesOn(ids[$0]) }
        #expect(goesOn == [true, false, false])
        let beginsAgain = rings.begin(ids[0])
        #expect(beginsAgain)
    }
}
