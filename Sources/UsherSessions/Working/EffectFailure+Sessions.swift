import Usher

// Why an effect has no output that has not failed by itself.
extension EffectFailure {
    /// It took too long.
    static let timeout = EffectFailure(code: "timeout", message: "the work took too long")

    /// It is the work of the session that this one was forked from.
    static let forked = EffectFailure(code: "forked", message: "the session was forked")

    /// The app's services could not be made.
    static let unreachable = EffectFailure(code: "services", message: "the app's services cannot be reached")
}
