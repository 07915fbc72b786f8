import Testing

@testable import MicroHTTPD

@Suite struct ReadingPaceTests {
    @Test
    func `a reader gets a new deadline after it has read the bytes that waited when the deadline was set`() {
        var pace = ReadingPace()
        // More bytes arrive while the client reads: 30 wait at the beginning, of which 10 are read.
        let terms = [20, 40, 60, 80, 100].map { pace.take(10, waiting: $0) }
        #expect(terms == [true, false, false, true, false])
    }

    @Test func `if no bytes wait, a reader gets a new deadline with each read`() {
        var pace = ReadingPace()
        let terms = (1...3).map { _ in pace.take(10, waiting: 0) }
        #expect(terms == [true, true, true])
    }

    @Test func `a reader that has read everything gets a new deadline when new bytes arrive`() {
        var pace = ReadingPace()
        let first = pace.take(10, waiting: 10)
        let second = pace.take(10, waiting: 0)
        pace.park()
        let third = pace.take(10, waiting: 1000)
        #expect([first, second, third] == [true, false, true])
    }
}
