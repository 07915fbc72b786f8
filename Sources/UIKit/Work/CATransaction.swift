/// A group of animations, whose completion is run when they are over.
///
/// Nothing is animated: the completion is run once the controllers that were moved in it have settled, as after
/// `pushViewController` between `begin()` and `commit()`.
@MainActor @preconcurrency
public final class CATransaction {
    /// Begins a transaction in the one that is open.
    public static func begin() {
        UIKitSession.current?.transactions.append(Open())
    }

    /// Ends the transaction that was begun last.
    public static func commit() {
        guard let session = UIKitSession.current, let ended = session.transactions.popLast() else { return }
        if let completion = ended.completion { session.enqueue(completion) }
    }

    /// Sets what is run when the animations of the open transaction are over; with none open, of those in this input.
    public static func setCompletionBlock(_ block: (() -> Void)?) {
        guard let session = UIKitSession.current, let last = session.transactions.indices.last else {
            return UIKitSession.complete(block)
        }
        session.transactions[last].completion = block
    }

    /// Of no meaning: nothing is animated.
    public static func setDisableActions(_ flag: Bool) {}

    /// Of no meaning: nothing is animated.
    public static func setAnimationDuration(_ duration: TimeInterval) {}

    /// A transaction that is not committed.
    struct Open {
        var completion: (() -> Void)?
    }
}
