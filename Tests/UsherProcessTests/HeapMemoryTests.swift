import Foundation
import LocalhostClient
import Synchronization
import Testing

@testable import UsherProcess

@Suite("The heap's memory", .blocking)
struct HeapMemoryTests {
    /// Says when nobody refers to it any more.
    private final class Remnant: Sendable {
        let isGone = DispatchSemaphore(value: 0)
        private let gone: DispatchSemaphore

        init() { gone = isGone }

        deinit { gone.signal() }
    }

    @Test func `memory goes back on another thread, and once more for all who ask meanwhile`() {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let times = Atomic(0)
        let over = endOfTrimming { remnant in
            let trimming = HeapTrimming { [remnant] in
                withExtendedLifetime(remnant) {
                    guard times.add(1, ordering: .relaxed).newValue == 1 else { return }
                    begun.signal()
                    mayEnd.wait()
                }
            }
            trimming.begin()
            begun.wait()
            for _ in 0..<3 { trimming.begin() }
            mayEnd.signal()
        }
        over.wait()
        #expect(times.load(ordering: .relaxed) == 2)
    }

    @Test func `who asks once it is done has it done again`() {
        let done = DispatchSemaphore(value: 0)
        let trimming = HeapTrimming { done.signal() }
        for _ in 0..<100 {
            trimming.begin()
            done.wait()
        }
    }

    /// The semaphore that tells when all that a body has begun has let go of what it is given.
    private func endOfTrimming(_ body: (Remnant) -> Void) -> DispatchSemaphore {
        let remnant = Remnant()
        body(remnant)
        return remnant.isGone
    }
}
