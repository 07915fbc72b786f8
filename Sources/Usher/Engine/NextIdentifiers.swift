/// The next free ids of a tree.
///
/// Ids never go back: those that a refused input has spent stay spent.
package struct NextIdentifiers: Equatable, Sendable {
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
