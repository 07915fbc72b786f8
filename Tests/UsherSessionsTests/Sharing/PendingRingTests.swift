import Testing
import UsherJournal

@testable import UsherSessions

@Suite("Rings that nobody has followed yet")
struct PendingRingTests {
    private let keys = (0..<3).map { JournalKey(high: 1, low: $0) }
    private let ids: [SessionID]

    init() {
        ids = keys.map { SessionID($0) }
    }

    @Test func `a session is among them once, with its newest revision`() {
        var rings = PendingRings()
        for revision in [3, 7, 5] { _ = rings.insert([JournalRing(keys[0], at: revision)]) }
        let batch = rings.take()
        #expect(batch?.revisions == [ids[0]: 7])
    }

    @Test func `one takes them, until there are none`() {
        var rings = PendingRings()
        let isFirst = (0..<2).map { rings.insert([JournalRing(keys[$0], at: 1)]) }
        #expect(isFirst == [true, false])
        let both = rings.take()
        #expect(both?.revisions.count == 2)
        let isFirstMeanwhile = rings.insert([JournalRing(keys[2], at: 1)])
        #expect(!isFirstMeanwhile)
        let (third, none) = (rings.take(), rings.take())
        #expect(third?.revisions.count == 1)
        #expect(none == nil)
        let isFirstAgain = rings.insert([])
        #expect(isFirstAgain)
        let (all, nothing) = (rings.take(), rings.take())
        #expect(all?.areAll == true)
        #expect(nothing == nil)
    }

    @Test func `a session that rings while it is confirmed is confirmed once more`() {
        var rings = PendingRings()
        let begins = [0, 1, 0, 0, 0].map { rings.begin(ids[$0]) }
        #expect(begins == [true, true, false, false, false])
        let goesOn = [0, 0, 1].map { rings.goesOn(ids[$0]) }
        #expect(goesOn == [true, false, false])
        let beginsAgain = rings.begin(ids[0])
        #expect(beginsAgain)
    }
}
