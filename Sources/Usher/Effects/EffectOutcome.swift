/// What became of an effect, as the journal keeps it.
public enum EffectOutcome: Sendable {
    /// The output as JSON.
    case success([UInt8])
    /// Why there is no output.
    case failure(EffectFailure)
}
