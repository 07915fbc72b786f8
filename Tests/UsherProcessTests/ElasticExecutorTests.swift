import Testing

@testable import UsherProcess

@Suite("The pool of threads for work that blocks")
struct ElasticExecutorTests {
    @Test func `threads count as blocked if no job was taken for a moment, or ever`() {
        let start = MonotonicClock.now
        let executor = ElasticExecutor()
        #expect(!executor.isHeld(waitingSince: start, at: start))
        let later = MonotonicClock.now + 10_000_000
        #expect(executor.isHeld(waitingSince: later, at: later))
    }
}
