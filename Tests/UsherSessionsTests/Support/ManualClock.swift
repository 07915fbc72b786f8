import Synchronization
import Usher
import UsherSessions

/// A clock that stands until a test moves it.
final class ManualClock: Clock {
    private struct State {
        var now: Int64 = 0
        /// By how much the time of day was set.
        var shift: Int64 = 0
        /// The number of sleeps so far.
        var count = 0
        var sleepers: [Int: (due: Int64, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())

    /// Whether somebody waits for a time: until then a test must not move the clock there.
    func isAwaited(at milliseconds: Int64) -> Bool {
        sleepers(until: milliseconds) > 0
    }

    /// The number of those that wait for a time.
    func sleepers(until milliseconds: Int64) -> Int {
        state.withLock { $0.sleepers.values.count { $0.due == milliseconds } }
    }

    func now() -> Timestamp {
        Timestamp(milliseconds: state.withLock { $0.now + $0.shift })
    }

    var uptime: Int64 { state.withLock { $0.now } }

    func sleep(until time: Timestamp) async throws {
        try await sleep(untilUptime: time.milliseconds - state.withLock { $0.shift })
    }

    func sleep(untilUptime uptime: Int64) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = state.withLock { state in
                    // Read this only once: a later cancellation finds the sleeper as soon as the lock is free.
                    let isOver = uptime <= state.now || Task.isCancelled
                    if !isOver { state.sleepers[id] = (uptime, wake) }
                    return isOver
                }
                if isOver { wake.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume()
        }
        try Task.checkCancellation()
    }

    /// Sets the time of day; who sleeps does not notice.
    func jump(by amount: Int64) {
        state.withLock { $0.shift += amount }
    }

    func advance(by amount: Int64) {
        let due = state.withLock { state in
            state.now += amount
            let due = state.sleepers.filter { $0.value.due <= state.now }.sorted { $0.key < $1.key }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value.wake)
        }
        for sleeper in due { sleeper.resume() }
    }
}

/// Random numbers that a test can foresee: 1, 2, 3 …, spread over all bits.
final class CountingRandom: RandomSource {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 {
        count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15
    }
}
