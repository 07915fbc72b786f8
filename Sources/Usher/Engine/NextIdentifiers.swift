/// The next free ids of a tree.
///
/// Ids are never reused, even if the input that took them is refused.
package struct NextIdentifiers: Codable, Equatable, Sendable {
    /// The id of the next screen.
    package private(set) var screen: Int
    /// The id of the next coordinator.
    package private(set) var coordinator: Int

    package init(screen: Int = 1, coordinator: Int = 1) {
        self.screen = screen
        self.coordinator = coordinator
    }

    mutating func takeScreen() -> Int {
        defer { screen += 1 }
        return screen
    }

    mutating func takeCoordinator() -> Int {
        defer { coordinator += 1 }
        return coordinator
    }

    /// Raises each id to the other value's id, if that is higher.
    package mutating func advance(to other: NextIdentifiers) {
        screen = max(screen, other.screen)
        coordinator = max(coordinator, other.coordinator)
    }
}

/// The marks of the state after an input, which the journal's entry records and a replay must reproduce.
package struct StateMark: Codable, Sendable {
    /// The ids that were free before the input.
    package let before: NextIdentifiers
    /// The ids that are free after the input.
    package let after: NextIdentifiers
    /// The tree's digest.
    package let digest: UInt64
    /// The visible screen's name and id; empty if no screen is shown.
    package let visible: String

    /// Creates the marks of a tree's current state; `before` has the ids that were free before the tree's last input.
    package init(_ tree: Tree, from before: NextIdentifiers) {
        self.before = before
        after = tree.identifiers
        digest = tree.digest
        visible = tree.visibleScreen
    }
}
