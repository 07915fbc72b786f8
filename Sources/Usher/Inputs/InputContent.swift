public import UsherJSON

/// What an input is: what a user did, or what the session itself has to tell its tree.
///
/// A client's request is read as an `InputAction` alone, and can be none of the others.
public enum InputContent: Sendable {
    /// The user did something.
    case action(InputAction)
    /// An effect has come to its end.
    case result(EffectID, EffectOutcome)
    /// A timer has come due.
    case timer(EffectID)
    /// The closure of an effect or a timer has failed, and was undone: it is not called again.
    case refused(EffectID, reason: String)
    /// A backend tells the session something.
    case message(JSONValue)

    /// What it is without what may be private, such as `back` or `event close`.
    package var summary: String {
        switch self {
        case .action(let action): action.summary
        case .result: "result"
        case .timer: "timer"
        case .refused: "refused"
        case .message: "message"
        }
    }
}
