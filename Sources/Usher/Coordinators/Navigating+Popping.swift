extension Navigating where Self: AnyCoordinator {
    /// Takes the top screen off this coordinator's navigation, whoever pushed it.
    ///
    /// The root of a navigation stays.
    public func pop() {
        pop(as: "pop") { $0.screens.count - 2 }
    }

    /// Takes all screens but the root off this coordinator's navigation.
    public func popToRoot() {
        pop(as: "popToRoot") { _ in 0 }
    }

    /// Takes all screens above one off this coordinator's navigation.
    ///
    /// - Parameter handle: The screen to show. One that is not on this navigation changes nothing, with a warning.
    public func pop<S: Screen>(to handle: Handle<S>) {
        pop(as: "pop(to:)") { navigation in
            if let shown = handle.shown, let index = navigation.index(of: shown) { return index }
            node?.tree.warnings.add("\(Self.self): pop(to:) a screen that is not on its navigation did nothing")
            return nil
        }
    }

    /// Makes everything below the top screen of this coordinator's navigation unreachable by back.
    ///
    /// The screens below stay where they are; links and coordinators still reach them.
    public func barrier() {
        guard let node = node(for: "barrier") else { return }
        let navigation = node.tree.navigation(of: node)
        guard let top = navigation.screens.last else { return }
        top.isBarrier = true
        navigation.markStale(at: navigation.screens.count - 1)
    }

    private func pop(as operation: String, to index: (Navigation) -> Int?) {
        guard let node = node(for: operation) else { return }
        let navigation = node.tree.navigation(of: node)
        guard let index = index(navigation) else { return }
        node.tree.pop(to: index, on: navigation)
    }
}
