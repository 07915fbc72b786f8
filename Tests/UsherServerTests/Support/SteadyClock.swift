import Synchronization
import Usher
import UsherSessions

/// A clock that stops until a test moves it, and wakes sleepers only on request.
final class SteadyClock: Clock {
    private struct State {
        var now: Int64
        var count = 0
        var sleepers: [Int: (due: Int64, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: Mutex<State>

    init(at time: Timestamp = Timestamp(milliseconds: 1_795_181_309_042)) {
        state = Mutex(State(now: time.milliseconds))
    }

    func now() -> Timestamp { Timestamp(milliseconds: state.withLock { $0.now }) }

    func advance(by amount: Int64) { state.withLock { $0.now += amount } }

    /// Wakes one sleeper whose time has come.
    ///
    /// - Returns: Whether there was one.
    func wake() -> Bool {
        let sleeper = state.withLock { state in
            state.sleepers.filter { $0.value.due <= state.now }.keys.min().flatMap {
                state.sleepers.removeValue(forKey: $0)
            }
        }
        sleeper?.wake.resume()
        return sleeper != nil
    }

    func sleep(until time: Timestamp) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = state.withLock { state in
                    // Read this only once: a later cancellation finds the sleeper as soon as the lock is free.
                    let isOver = Task.isCancelled
                    if !isOver { state.sleepers[id] = (time.milliseconds, wake) }
                    return isOver
                }
                if isOver { wake.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume()
        }
        try Task.checkCancellation()
    }
}
