import Testing

@testable import UsherProcess

@Suite("The pool of threads for work that blocks")
struct ElasticExecutorTests {
    @Test func `the pool's threads count as blocked if no job has started since the oldest job began to wait`() {
        let start = MonotonicClock.now
        let executor = ElasticExecutor()
        #expect(!executor.isHeld(waitingSince: start, at: start))
        let later = MonotonicClock.now + 10_000_000
        #expect(executor.isHeld(waitingSince: later, at: later))
    }
}
