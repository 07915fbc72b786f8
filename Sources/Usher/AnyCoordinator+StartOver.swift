extension AnyCoordinator {
    /// Replaces the root coordinator, and begins a new history of inputs in the same session.
    ///
    /// Only the root coordinator can start over. All coordinators and screens leave at once, timers are cancelled, and
    /// earlier inputs can no longer be viewed or replayed. At the end of the input, `App.root(_:)` creates the new root
    /// from the options, so put all data that the new root needs into the options. Ids and revisions continue, a client
    /// can still repeat a request under its key, and a waiting deep link opens on the new root. The limit of inputs and
    /// `inputCount` start again. Work that a replay has deferred to the next input is dropped with its coordinator.
    ///
    /// ```swift
    /// func orderAgain() throws {
    ///     try startOver(with: ShopApp.Options(user: user))
    /// }
    /// ```
    ///
    /// - Parameter options: A value of the app's `Options`.
    /// - Throws: `Refusal` while an effect is under way, because its result would have nowhere to go; `Rejection` if this is
    ///   not the root, the options are not the app's, or this very input has started the root. The whole input is refused,
    ///   unless the error is caught.
    public final func startOver(with options: some Codable & Sendable) throws {
        guard let node = workingNode(for: "startOver") else { return }
        try node.tree.endHistory(at: node, beginningWith: options)
    }
}

extension Navigating where Self: AnyCoordinator {
    /// The number of inputs in the session's history, including the creation and the input that is being handled.
    ///
    /// A server rejects inputs beyond a limit (`--max-inputs`, 10,000 by default), even an input in which the root
    /// would start over. So start over long before the limit, at a point where little has to remain:
    ///
    /// ```swift
    /// func orderDidEnd() throws {
    ///     if inputCount > 1_000 { try startOver(with: ShopApp.Options(user: user)) }
    /// }
    /// ```
    ///
    /// The number is the same in each replay. `startOver(with:)` resets it, so a new root reads 1. A coordinator that
    /// is not in a tree reads 0.
    public var inputCount: Int { node?.tree.inputCount ?? 0 }
}

extension Tree {
    /// The number of inputs in the history, including the input that is being handled.
    fileprivate var inputCount: Int { revision &- historyStart &+ 2 }
}
