extension AnyCoordinator {
    /// Replaces the root coordinator, and begins a new history of inputs in the same session.
    ///
    /// Only the root coordinator can start over. The call removes all coordinators and screens at once and cancels
    /// timers, and earlier inputs can no longer be viewed or replayed. At the end of the input, `App.root(_:)` creates
    /// the new root from the options, so put all data that the new root needs into the options. Ids and revisions
    /// continue, a client can still repeat a request under its idempotency key, and a waiting deep link opens on the
    /// new root. The count of inputs starts again. Work that a replay has deferred to the next input is dropped with
    /// its coordinator.
    ///
    /// ```swift
    /// func orderAgain() throws {
    ///     try startOver(with: ShopApp.Options(user: user))
    /// }
    /// ```
    ///
    /// - Parameter options: A value of the app's `Options`.
    /// - Throws: `Refusal` while an effect is pending, because no coordinator could receive the effect's result;
    ///   `Rejection` if this is not the root, if the options are not a value of `App.Options`, or if the current input
    ///   has started the root. If your code does not catch the error, the whole input is refused.
    public final func startOver(with options: some Codable & Sendable) throws {
        guard let node = workingNode(for: "startOver") else { return }
        try node.tree.endHistory(at: node, beginningWith: options)
    }
}

extension Navigating where Self: AnyCoordinator {
    /// The number of inputs in the session's history, including the creation and the input that is being handled.
    ///
    /// A server rejects inputs beyond a limit (`--max-inputs`, 10,000 by default), even an input in which the root
    /// would start over. So start over long before the limit, at a point at which the new root needs little data:
    ///
    /// ```swift
    /// func orderDidEnd() throws {
    ///     if inputCount > 1_000 { try startOver(with: ShopApp.Options(user: user)) }
    /// }
    /// ```
    ///
    /// The number is the same in each replay. `startOver(with:)` resets the number: in the input that creates the new
    /// root, the number is 1. For a coordinator that is not in a tree, the number is 0.
    public var inputCount: Int { node?.tree.inputCount ?? 0 }
}

extension Tree {
    /// The number of inputs in the history, including the input that is being handled.
    fileprivate var inputCount: Int { revision &- historyStart &+ 2 }
}
