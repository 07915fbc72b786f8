import Synchronization

/// A gate where handlers wait until a test opens it.
final class HandlerGate: Sendable {
    private let arrivals = Watch()
    private let openings = Watch()

    /// Waits until the gate is open.
    func pass() async {
        arrivals.add()
        await openings.reaches(1)
    }

    /// Waits until a number of handlers wait at the gate, or the test's time is over.
    func waiting(_ count: Int) async {
        await withTaskCancellationHandler {
            await arrivals.reaches(count)
        } onCancel: {
            arrivals.giveUp()
            // Handlers that wait forever would keep their daemon running.
            open()
        }
    }

    /// Opens the gate for all handlers, now and later.
    func open() { openings.add() }
}

/// A count that tests wait for.
final class Watch: Sendable {
    private struct State {
        var count = 0
        var isGivenUp = false
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let isReady = { [count, isGivenUp] (wanted: Int) in isGivenUp || wanted <= count }
            defer { observers.removeAll { isReady($0.count) } }
            return observers.filter { isReady($0.count) }.map(\.continuation)
        }
    }

    private let state = Mutex(State())

    var value: Int { state.withLock { $0.count } }

    func add() {
        tell { $0.count += 1 }
    }

    /// Waits until the count reaches a number.
    func reaches(_ number: Int) async {
        await withCheckedContinuation { continuation in
            tell { $0.observers.append((number, continuation)) }
        }
    }

    /// Ends all waits, now and later.
    func giveUp() {
        tell { $0.isGivenUp = true }
    }

    private func tell(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            return state.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }
}
