import Synchronization

/// Idempotency keys under which sessions are being opened: a twin waits for the first.
final class Openings: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private let waiting = Mutex<[String: [Waiter]]>([:])

    /// Waits until nobody else opens a session under a key, and then is the one that does.
    func begin(_ key: String) async {
        while await !isFirst(key) {}
    }

    /// Lets the twins go on.
    func end(_ key: String) {
        let waiters = waiting.withLock { $0.removeValue(forKey: key) ?? [] }
        for waiter in waiters { waiter.resume() }
    }

    /// - Returns: Whether there was nobody; else after whoever there was is done.
    private func isFirst(_ key: String) async -> Bool {
        let isFirst = waiting.withLock { waiting in
            guard waiting[key] == nil else { return false }
            waiting[key] = []
            return true
        }
        guard !isFirst else { return true }
        await withCheckedContinuation { waiter in
            let isOver = waiting.withLock { waiting in
                guard waiting[key] != nil else { return true }
                waiting[key]?.append(waiter)
                return false
            }
            if isOver { waiter.resume() }
        }
        return false
    }
}
