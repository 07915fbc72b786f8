import Testing

@testable import UsherProcess

@Suite("The pool of threads for work that blocks")
struct ElasticExecutorTests {
    @Test func `threads are held once no job was taken for a moment, also where none was ever taken`() {
        let start = MonotonicClock.now
        let executor = ElasticExecutor()
        #expect(!executor.isHeld(waitingSince: start, at: start))
        let later = MonotonicClock.now + 10_000_000
        #expect(executor.isHeld(waitingSince: later, at: later))
    }
}
