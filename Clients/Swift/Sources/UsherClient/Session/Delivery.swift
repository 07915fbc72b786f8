import Synchronization

/// The delivery of an input, which is pending until the server has accepted or refused the input.
public final class Delivery: Sendable {
    private typealias Outcome = Result<SessionState, Problem>

    private enum Phase {
        case waiting([CheckedContinuation<Outcome, Never>])
        case decided(Outcome)
    }

    /// A lock, because one task sets the outcome, and other tasks wait for the outcome.
    private let phase: Mutex<Phase>

    init() {
        phase = Mutex(.waiting([]))
    }

    /// Creates a delivery that was refused before it began.
    init(refused problem: Problem) {
        phase = Mutex(.decided(.failure(problem)))
    }

    /// The state after the input, once the server has accepted it.
    ///
    /// - Throws: The server's refusal, or the client's `queue-full` or `closed`.
    public var state: SessionState {
        get async throws(Problem) {
            let outcome = await withCheckedContinuation { continuation in
                let decided: Outcome? = phase.withLock { phase in
                    switch phase {
                    case .decided(let outcome): return outcome
                    case .waiting(let others):
                        phase = .waiting(others + [continuation])
                        return nil
                    }
                }
                if let decided { continuation.resume(returning: decided) }
            }
            return try outcome.get()
        }
    }

    /// Sets the outcome of the delivery; only the first call has an effect.
    func decide(_ outcome: Result<SessionState, Problem>) {
        let waiting: [CheckedContinuation<Outcome, Never>] = phase.withLock { phase in
            guard case .waiting(let waiting) = phase else { return [] }
            phase = .decided(outcome)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}
