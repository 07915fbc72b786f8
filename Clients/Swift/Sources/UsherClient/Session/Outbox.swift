import Synchronization

/// The queue of inputs that the server has not answered.
///
/// One input is sent at a time, with its idempotency key, until a response accepts or refuses the input. So each
/// input takes effect once and in order.
final class Outbox: Sendable {
    private struct Entry {
        let input: Input
        let key: String
        let delivery = Delivery()
    }

    private struct Queue {
        var entries: [Entry] = []
        var delivering: Task<Void, Never>?
        var closing: Problem?
    }

    private let platform: Platform
    private let bound: Int
    private let attempt: @Sendable (Input, String) async throws -> SessionState
    private let tell: @Sendable (SessionUpdate) -> Void
    private let backoff: Backoff
    /// A lock instead of an actor, so that inputs are queued at once in the user's order.
    private let queue = Mutex(Queue())

    /// - Parameters:
    ///   - bound: The maximum number of waiting inputs.
    ///   - attempt: Makes one attempt to send an input with its key.
    ///   - tell: Called with the number of waiting inputs and the causes of retries. It must not call the outbox.
    init(
        on platform: Platform, bound: Int, tell: @escaping @Sendable (SessionUpdate) -> Void,
        attempt: @escaping @Sendable (Input, String) async throws -> SessionState
    ) {
        self.platform = platform
        self.bound = bound
        self.tell = tell
        self.attempt = attempt
        backoff = Backoff(platform)
    }

    var count: Int { queue.withLock { $0.entries.count } }

    func add(_ input: Input) -> Delivery {
        queue.withLock { queue in
            if let closing = queue.closing { return Delivery(refused: closing) }
            if queue.entries.count >= bound {
                let problem = Problem.own("queue-full", "\(bound) inputs are already waiting for the server")
                return Delivery(refused: problem)
            }
            let entry = Entry(input: input, key: platform.key())
            queue.entries.append(entry)
            tell(.waiting(queue.entries.count))
            if queue.delivering == nil { queue.delivering = Task { await deliverAll() } }
            return entry.delivery
        }
    }

    /// Makes the next attempt at once.
    func wake() {
        backoff.wake()
    }

    /// Refuses the waiting inputs; an input that was already sent may still take effect.
    func close() {
        let problem = Problem.own("closed", "the client was closed before the server had answered")
        let waiting = queue.withLock { queue in
            queue.closing = queue.closing ?? problem
            queue.delivering?.cancel()
            defer { queue.entries = [] }
            return queue.entries
        }
        for entry in waiting { entry.delivery.decide(.failure(problem)) }
    }

    private func deliverAll() async {
        while let entry = first() {
            let outcome: Result<SessionState, Problem>
            do {
                outcome = .success(try await deliver(entry))
            } catch {
                outcome = .failure(Problem(error))
            }
            remove(entry)
            entry.delivery.decide(outcome)
        }
    }

    private func first() -> Entry? {
        queue.withLock { queue in
            if queue.entries.isEmpty { queue.delivering = nil }
            return queue.entries.first
        }
    }

    private func remove(_ entry: Entry) {
        queue.withLock { queue in
            // The queue is empty if the outbox was closed meanwhile.
            guard queue.entries.first?.key == entry.key else { return }
            queue.entries.removeFirst()
            tell(.waiting(queue.entries.count))
        }
    }

    /// Tries until a response accepts or refuses the input, or until closing the outbox cancels the task.
    private func deliver(_ entry: Entry) async throws -> SessionState {
        backoff.reset()
        while true {
            do {
                return try await attempt(entry.input, entry.key)
            } catch {
                let problem = Problem(error)
                if Task.isCancelled || !problem.isTransient { throw problem }
                tell(.delayed(problem))
                await backoff.wait(atLeast: problem.retryAfter)
                try Task.checkCancellation()
            }
        }
    }
}
