/// A list of shown controllers, which is collected again for each update and compared with the last update's list.
@MainActor
final class ShownControllers {
    /// The controllers of the last update, bottom to top.
    @safe @exclusivity(unchecked) private(set) var controllers: [UIViewController] = []
    /// The number of controllers at the bottom that are the same as in the last update.
    @safe @exclusivity(unchecked) private(set) var kept = 0
    /// The collected controllers above the kept ones, bottom to top.
    @safe @exclusivity(unchecked) private(set) var added: [UIViewController] = []

    /// The number of collected controllers.
    var count: Int { kept + added.count }

    /// The collected controller at an index.
    subscript(place: Int) -> UIViewController { place < kept ? controllers[place] : added[place - kept] }

    /// A Boolean value that indicates whether the collected controllers are those of the last update.
    var isSame: Bool { kept == controllers.count && added.isEmpty }

    /// Begins to collect controllers.
    func beginCollecting() { removeAll(from: 0) }

    /// Collects the controllers that represent a controller in one of the engine's stacks.
    func collect(_ controller: UIViewController) {
        beginCollecting()
        controller.appendShown(to: self)
    }

    /// Collects a controller above the others.
    func append(_ controller: UIViewController) {
        if added.isEmpty, kept < controllers.count, controllers[kept] === controller {
            kept += 1
        } else {
            added.append(controller)
        }
    }

    /// Removes the collected controllers from an index on.
    func removeAll(from place: Int) {
        if place > kept {
            added.removeSubrange((place - kept)...)
        } else {
            kept = place
            if !added.isEmpty { added = [] }
        }
    }

    /// Removes and returns the controllers of the last update that were not collected again, bottom to top.
    func takeLeft() -> [UIViewController] {
        var left: [UIViewController] = []
        while controllers.count > kept { left.append(controllers.removeLast()) }
        left.reverse()
        return left
    }

    /// Replaces the controllers of the last update by the collected ones.
    func update() {
        while controllers.count > kept { controllers.removeLast() }
        for controller in take(&added, leaving: []) { controllers.append(controller) }
    }

    /// Replaces all controllers.
    ///
    /// - Returns: The former controllers, so that the caller releases them after the list has changed.
    @discardableResult
    func replaceAll(by controllers: [UIViewController]) -> [UIViewController] {
        kept = 0
        return take(&self.controllers, leaving: controllers)
    }
}
