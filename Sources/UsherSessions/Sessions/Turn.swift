import Usher

/// What became of a request while it had the session's lock.
enum Turn<Value: Sendable>: Sendable {
    /// There is no tree: the session has to be woken first.
    case asleep
    /// The request's idempotency key may have an answer, which has to be looked up.
    case known(KeyLookup)
    /// The input broke the tree, which was dropped: the session has to be woken, and then either the input is handled
    /// again, or the rejection answered.
    case undone(Rejection)
    /// There is an answer.
    case settled(Settlement<Value>)
}
