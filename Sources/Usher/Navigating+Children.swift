extension Navigating where Self: AnyCoordinator {
    /// Starts a child on this coordinator's navigation.
    ///
    /// The engine retains the child until the child ends.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - completion: Called with this coordinator when the child has ended and its screens are gone; should capture
    ///     nothing. Not called if this coordinator has ended before the child.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    public func start<Output>(
        _ child: Coordinator<Output>, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "start", completion, SourceLocation(file, line)) { $0.navigation(of: $1) }
    }

    /// Starts a child on this coordinator's navigation.
    ///
    /// When the child ends, the engine calls `childDidFinish`.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func start(_ child: AnyCoordinator) {
        start(child, as: "start") { $0.navigation(of: $1) }
    }

    /// Replaces all screens of this coordinator's navigation by a child's screens.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started. Its first screen is the navigation's new root.
    ///   - completion: Called at the child's end, as for `start`.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    public func replace<Output>(
        with child: Coordinator<Output>, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "replace", completion, SourceLocation(file, line)) { $0.emptyNavigation(of: $1) }
    }

    /// Replaces all screens of this coordinator's navigation by a child's screens.
    ///
    /// When the child ends, the engine calls `childDidFinish`.
    ///
    /// - Parameter child: A coordinator that has not been started.
    public func replace(with child: AnyCoordinator) {
        start(child, as: "replace") { $0.emptyNavigation(of: $1) }
    }

    /// Starts a child in a modal with a navigation of its own.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - style: The style of the modal.
    ///   - completion: Called at the child's end, as for `start`. At that time, the modal is gone.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    public func present<Output>(
        _ child: Coordinator<Output>, as style: PresentationStyle, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "present", completion, SourceLocation(file, line)) { _, node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Starts a child in a modal.
    ///
    /// When the child ends, the engine calls `childDidFinish`.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - style: The style of the modal.
    public func present(_ child: AnyCoordinator, as style: PresentationStyle) {
        start(child, as: "present") { _, node in Navigation(.modal(style, presenter: node.id)) }
    }

    /// Returns the most recently started live child of a type; nil if there is none.
    ///
    /// Use this method to open a flow whose coordinator may already be live:
    ///
    /// ```swift
    /// let tabBar = child(TabBarCoordinator.self) ?? startTabBar()
    /// ```
    public func child<Child: AnyCoordinator>(_ type: Child.Type) -> Child? {
        node?.children.lazy.reversed().compactMap { $0 as? Child }.first { _ in true }
    }
}

extension Navigating where Self: AnyCoordinator {
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
            return tree.warnings.add(
                "\(Self.self): \(type(of: child)) was already started, so `\(operation)` did nothing")
        }
        let navigation = navigation(tree.window, node)
        guard stays(at: node, for: operation) else { return }
        tree.hierarchy.start(child, under: node, on: navigation, in: tree)
    }
}
