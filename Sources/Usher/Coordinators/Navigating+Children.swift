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
        _ child: Coordinator<Output>, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "start", completion, Origin(file, line)) { $0.tree.navigation(of: $0) }
    }

    /// Starts a child whose end `childDidFinish` hears of.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func start(_ child: AnyCoordinator) {
        start(child, as: "start") { $0.tree.navigation(of: $0) }
    }

    /// Swaps all screens of this coordinator's navigation for a child's.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started; its first screen is the navigation's new root.
    ///   - completion: What its end does, as for `start`.
    public func replace<Output>(
        with child: Coordinator<Output>, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "replace", completion, Origin(file, line)) { node in
            node.tree.emptyNavigation(of: node)
        }
    }

    /// Swaps all screens of this coordinator's navigation for a child's, whose end `childDidFinish` hears of.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func replace(with child: AnyCoordinator) {
        start(child, as: "replace") { node in
            node.tree.emptyNavigation(of: node)
        }
    }

    /// The live child of a type, the one that was started last; nil where there is none.
    ///
    /// What a flow leads to may be there already:
    ///
    /// ```swift
    /// let tabBar = child(TabBarCoordinator.self) ?? startTabBar()
    /// ```
    ///
    /// - Parameter type: The child's type.
    public func child<Child: AnyCoordinator>(_ type: Child.Type) -> Child? {
        node?.children.lazy.reversed().compactMap { $0 as? Child }.first { _ in true }
    }

    /// Starts a child with a closure for its end, on the navigation that another chooses.
    func start<Output>(
        _ child: Coordinator<Output>, as operation: String,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void, _ origin: Origin,
        on navigation: (Node) -> Navigation
    ) {
        start(child, as: operation) { node in
            child.completionOrigin = origin
            child.completion = { parent, outcome in
                guard let me = parent as? Self else { return }
                try completion(me, outcome)
            }
            return navigation(node)
        }
    }

    func start(_ child: AnyCoordinator, as operation: String, on navigation: (Node) -> Navigation) {
        guard let node = node(for: operation) else { return }
        guard case .new = child.phase else {
            return node.tree.warnings.add(
                "\(Self.self): \(type(of: child)) was started already, \(operation) did nothing")
        }
        node.tree.start(child, under: node, on: navigation(node))
    }
}
