/// Whether a daemon runs, and who waits for its end.
enum DaemonPhase {
    case running
    case stopping([CheckedContinuation<Void, Never>])
    case stopped

    /// What whoever asks for the end has to do.
    enum Step {
        case start
        case wait
        case resume
    }

    mutating func stop(_ continuation: CheckedContinuation<Void, Never>) -> Step {
        switch self {
        case .running:
            self = .stopping([continuation])
            return .start
        case .stopping(let others):
            self = .stopping(others + [continuation])
            return .wait
        case .stopped:
            return .resume
        }
    }

    /// It is over.
    ///
    /// - Returns: who has waited for it.
    mutating func finish() -> [CheckedContinuation<Void, Never>] {
        guard case .stopping(let waiting) = self else { return [] }
        self = .stopped
        return waiting
    }
}
