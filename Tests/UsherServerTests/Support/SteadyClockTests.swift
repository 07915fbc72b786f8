import Testing
import Usher

@Suite("The clock of the tests")
struct SteadyClockTests {
    @Test func `a sleep ends only once if it is cancelled while it begins`() async throws {
        let clock = SteadyClock()
        let due = clock.now().advanced(by: .seconds(1))
        for _ in 0..<5000 {
            let sleep = Task { try await clock.sleep(until: due) }
            sleep.cancel()
            await #expect(throws: CancellationError.self) { try await sleep.value }
        }
        clock.advance(by: 1000)
        #expect(!clock.wake())
    }
}
