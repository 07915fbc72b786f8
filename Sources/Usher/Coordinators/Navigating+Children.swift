extension Navigating where Self: AnyCoordinator {
    /// Starts a child on this coordinator's navigation.
    ///
    /// The engine keeps it until it ends.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - completion: What its end does; it is given this coordinator, and captures nothing. By then the child's
    ///     screens are gone. It is not called if this coordinator has ended meanwhile.
    public func start<Output>(
        _ child: Coordinator<Output>, _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        guard let node = node(for: "start") else { return }
        child.completion = { parent, outcome in
            guard let me = parent as? Self else { return }
            try completion(me, outcome)
        }
        node.tree.start(child, under: self, node)
    }

    /// Starts a child whose end `childDidFinish` hears of.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func start(_ child: AnyCoordinator) {
        guard let node = node(for: "start") else { return }
        node.tree.start(child, under: self, node)
    }

    /// Swaps all screens of this coordinator's navigation for a child's.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started; its first screen is the navigation's new root.
    ///   - completion: What its end does, as for `start`.
    public func replace<Output>(
        with child: Coordinator<Output>, _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        guard let node = node(for: "replace") else { return }
        node.tree.replaceAll(on: node.navigation)
        start(child, completion)
    }

    /// Swaps all screens of this coordinator's navigation for a child's, whose end `childDidFinish` hears of.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func replace(with child: AnyCoordinator) {
        guard let node = node(for: "replace") else { return }
        node.tree.replaceAll(on: node.navigation)
        start(child)
    }
}
