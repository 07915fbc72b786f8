import LocalhostClient
import Synchronization
import Testing

@testable import UsherProcess

@Suite("The pauses of a polling thread", .blocking, .timeLimit(.minutes(5)))
struct BeatTests {
    /// A thread that never finds work.
    private final class Looker: Sendable {
        let beat = Beat()
        let looks = Atomic(0)
        let isOver = Atomic(false)

        func start() {
            let hasStarted = SystemThread.start { [self] in
                while !isOver.load(ordering: .relaxed) {
                    beat.rest(1_000_000, isIdle: true)
                    looks.add(1, ordering: .relaxed)
                }
            }
            #expect(hasStarted)
        }

        /// Waits until the thread has checked a number of further times.
        func wait(for count: Int) {
            let end = looks.load(ordering: .relaxed) + count
            while looks.load(ordering: .relaxed) < end { SystemThread.yield() }
        }
    }

    @Test
    func `a polling thread pauses briefly at first, longer after some time without work, and briefly after a call`() {
        let looker = Looker()
        let start = MonotonicClock.now
        looker.start()
        looker.wait(for: 100)
        #expect(MonotonicClock.now - start < 1_000_000_000)
        SystemThread.pause(nanoseconds: 1_500_000_000)
        let before = looker.looks.load(ordering: .relaxed)
        SystemThread.pause(nanoseconds: 1_000_000_000)
        #expect(looker.looks.load(ordering: .relaxed) - before <= 2)
        let call = MonotonicClock.now
        looker.beat.call()
        looker.wait(for: 100)
        #expect(MonotonicClock.now - call < 1_000_000_000)
        looker.isOver.store(true, ordering: .relaxed)
        looker.beat.call()
    }
}
