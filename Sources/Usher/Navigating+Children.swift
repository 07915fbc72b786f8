extension Navigating where Self: AnyCoordinator {
    /// Starts a child on this coordinator's navigation.
    ///
    /// The engine keeps it until it ends.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - completion: What its end does; it is given this coordinator, and captures nothing. By then the child's
    ///     screens are gone. It is not called if this coordinator has ended meanwhile.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    public func start<Output>(
        _ child: Coordinator<Output>, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "start", completion, SourceLocation(file, line)) { $0.navigation(of: $1) }
    }

    /// Starts a child whose end `childDidFinish` hears of.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func start(_ child: AnyCoordinator) {
        start(child, as: "start") { $0.navigation(of: $1) }
    }

    /// Swaps all screens of this coordinator's navigation for a child's.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started; its first screen is the navigation's new root.
    ///   - completion: What its end does, as for `start`.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    public func replace<Output>(
        with child: Coordinator<Output>, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "replace", completion, SourceLocation(file, line)) { $0.emptyNavigation(of: $1) }
    }

    /// Swaps all screens of this coordinator's navigation for a child's, whose end `childDidFinish` hears of.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func replace(with child: AnyCoordinator) {
        start(child, as: "replace") { $0.emptyNavigation(of: $1) }
    }

    /// Starts a child in a modal with a navigation of its own.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - style: How the modal lies over what was there.
    ///   - completion: What its end does, as for `start`. By then the modal is gone.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    public func present<Output>(
        _ child: Coordinator<Output>, as style: PresentationStyle, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "present", completion, SourceLocation(file, line)) { _, node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Starts a child in a modal; `childDidFinish` hears of its end.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - style: How the modal lies over what was there.
    public func present(_ child: AnyCoordinator, as style: PresentationStyle) {
        start(child, as: "present") { _, node in Navigation(.modal(style, presenter: node.id)) }
    }

    /// The live child of a type, the one that was started last; nil where there is none.
    ///
    /// For a flow to a coordinator that may be there already:
    ///
    /// ```swift
    /// let tabBar = child(TabBarCoordinator.self) ?? startTabBar()
    /// ```
    ///
    /// - Parameter type: The child's type.
    public func child<Child: AnyCoordinator>(_ type: Child.Type) -> Child? {
        node?.children.lazy.reversed().compactMap { $0 as? Child }.first { _ in true }
    }
}

extension Navigating where Self: AnyCoordinator {
    /// Starts a child with a closure for its end, on the navigation that another chooses.
    func start<Output>(
        _ child: Coordinator<Output>, as operation: String,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void, _ origin: SourceLocation,
        on navigation: (Window, Node) -> Navigation
    ) {
        start(child, as: operation) { window, node in
            child.complete(at: origin) { parent, outcome in
                guard let me = parent as? Self else { return }
                try completion(me, outcome)
            }
            return navigation(window, node)
        }
    }

    func start(_ child: AnyCoordinator, as operation: String, on navigation: (Window, Node) -> Navigation) {
        guard let node = node(for: operation) else { return }
        let tree = node.tree
        guard child.isNew else {
            return tree.warnings.add("\(Self.self): \(type(of: child)) was started already, \(operation) did nothing")
        }
        let navigation = navigation(tree.window, node)
        guard stays(at: node, for: operation) else { return }
        tree.hierarchy.start(child, under: node, on: navigation, in: tree)
    }
}
