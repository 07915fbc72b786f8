import Testing

@testable import UsherPostgres

@Suite("The server's estimate of the database's time")
struct DatabaseTimeTests {
    @Test func `the estimated time advances with the machine's uptime`() {
        let time = DatabaseTime(1_000_000, askedAt: 100, answeredAt: 104)
        #expect(time.milliseconds(at: 102) == 1_000_000)
        #expect(time.milliseconds(at: 5_102) == 1_005_000)
    }

    @Test func `a response corrects the estimate only by as much as the response proves the estimate wrong`() {
        let time = DatabaseTime(1_000_000, askedAt: 100, answeredAt: 100)
        time.note(1_001_005, askedAt: 1_100, answeredAt: 1_110)
        #expect(time.milliseconds(at: 1_100) == 1_001_000)
        // The time was read after the question was sent, so it is later than the question by at least this duration.
        time.note(1_003_000, askedAt: 2_100, answeredAt: 2_110)
        #expect(time.milliseconds(at: 2_110) == 1_003_000)
        time.note(1_002_000, askedAt: 3_100, answeredAt: 3_110)
        #expect(time.milliseconds(at: 3_100) == 1_002_000)
    }

    @Test func `a slow response does not correct the estimate if the estimate may be right`() {
        let time = DatabaseTime(1_000_000, askedAt: 100, answeredAt: 100)
        time.note(1_001_000, askedAt: 1_100, answeredAt: 9_100)
        #expect(time.milliseconds(at: 9_100) == 1_009_000)
    }

    @Test func `if the database's clock is set, the estimate follows at once, in both directions`() {
        for jump in [172_800_000, -172_800_000] as [Int64] {
            let time = DatabaseTime(1_000_000_000, askedAt: 100, answeredAt: 100)
            time.note(1_000_001_000 + jump, askedAt: 1_100, answeredAt: 1_100)
            #expect(time.milliseconds(at: 1_100) == 1_000_001_000 + jump)
        }
    }
}
