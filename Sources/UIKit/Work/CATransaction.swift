/// A group of animations, with a completion that runs after the animations.
///
/// Nothing is animated: the completion runs after the transitions in the transaction have completed, for example after
/// `pushViewController` between `begin()` and `commit()`.
@MainActor @preconcurrency
public final class CATransaction {
    /// Starts a transaction within the current transaction.
    public static func begin() {
        UIKitSession.current?.transactions.append(Open())
    }

    /// Ends the current transaction.
    public static func commit() {
        guard let session = UIKitSession.current, let ended = session.transactions.popLast() else { return }
        if let completion = ended.completion { session.enqueue(completion) }
    }

    /// Sets the completion of the current transaction; outside of a transaction, of this input's animations.
    public static func setCompletionBlock(_ block: (() -> Void)?) {
        guard let session = UIKitSession.current, let last = session.transactions.indices.last else {
            return UIKitSession.complete(block)
        }
        session.transactions[last].completion = block
    }

    /// Does nothing, because nothing is animated.
    public static func setDisableActions(_ flag: Bool) {}

    /// Does nothing, because nothing is animated.
    public static func setAnimationDuration(_ duration: TimeInterval) {}

    /// A transaction that was not committed yet.
    struct Open {
        var completion: (() -> Void)?
    }
}
