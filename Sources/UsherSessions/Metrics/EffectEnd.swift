import Usher

/// How an effect came to its end.
enum EffectEnd: Int, CaseIterable {
    /// It gave a value.
    case succeeded
    /// It failed.
    case failed
    /// It took too long.
    case timeout
    /// Its coordinator finished or its screen left, or the session ended.
    case cancelled

    /// The end with an outcome.
    init(_ outcome: EffectOutcome) {
        switch outcome {
        case .success: self = .succeeded
        case .failure(let failure): self = failure.code == EffectFailure.timeout.code ? .timeout : .failed
        }
    }
}
