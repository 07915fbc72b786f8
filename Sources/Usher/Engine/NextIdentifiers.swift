/// The next free ids of a tree.
///
/// Ids never go back: those that a refused input has spent stay spent.
package struct NextIdentifiers: Codable, Equatable, Sendable {
    /// The id that the next screen gets.
    package private(set) var screen: Int
    /// The id that the next coordinator gets.
    package private(set) var coordinator: Int

    /// Makes ids.
    ///
    /// - Parameters:
    ///   - screen: The id that the next screen gets.
    ///   - coordinator: The id that the next coordinator gets.
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

    mutating func advance(to other: NextIdentifiers) {
        screen = max(screen, other.screen)
        coordinator = max(coordinator, other.coordinator)
    }
}

/// The words of a journal's entry on the state that an input has led to: whoever walks there again can compare.
package struct StateMark: Codable, Sendable {
    /// The ids that were free before the input.
    package let before: NextIdentifiers
    /// The ids that are free in the state.
    package let after: NextIdentifiers
    /// The tree's digest.
    package let digest: UInt64
    /// The visible screen's name and id; empty where no screen is shown.
    package let visible: String

    /// Makes the mark of a tree as it stands.
    ///
    /// - Parameters:
    ///   - tree: The tree.
    ///   - before: The ids that were free before its last input.
    package init(_ tree: Tree, from before: NextIdentifiers) {
        self.before = before
        after = tree.identifiers
        digest = tree.digest
        visible = tree.visibleScreen
    }
}
