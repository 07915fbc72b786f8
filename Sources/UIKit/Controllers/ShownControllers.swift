/// The controllers that represent one controller in a stack of the engine, compared with the previous ones.
///
/// One list has both, so that a controller that is collected is counted once, and is not moved to another list.
@MainActor
final class ShownControllers {
    /// The controllers, bottom to top; between a collection and the update, also those that were collected, at the end.
    @safe @exclusivity(unchecked) private(set) var controllers: [UIViewController] = []
    /// The number of former controllers in the list, which the collected ones follow.
    @safe @exclusivity(unchecked) private var formerCount = 0
    /// The number of controllers at the bottom that are the same as before.
    @safe @exclusivity(unchecked) private(set) var kept = 0

    /// The number of collected controllers, with the kept ones.
    var count: Int { kept + controllers.count - formerCount }

    /// The collected controller at a place.
    subscript(place: Int) -> UIViewController { controllers[place < kept ? place : place - kept + formerCount] }

    /// A Boolean value that indicates whether the collected controllers are the former ones.
    var isSame: Bool { kept == controllers.count }

    /// Begins to collect controllers.
    func beginCollecting() { removeAll(from: 0) }

    /// Collects the controllers that represent one in a stack of the engine's.
    func collect(_ controller: UIViewController) {
        beginCollecting()
        controller.appendShown(to: self)
    }

    /// Collects a controller above the others.
    func append(_ controller: UIViewController) {
        if controllers.count == formerCount, kept < formerCount, controllers[kept] === controller {
            kept += 1
        } else {
            controllers.append(controller)
        }
    }

    /// Removes the collected controllers from a place on.
    func removeAll(from place: Int) {
        let added = max(place - kept, 0)
        kept = min(place, kept)
        while controllers.count > formerCount + added { controllers.removeLast() }
    }

    /// Removes and returns the former controllers that were not collected again, bottom to top.
    func takeLeft() -> [UIViewController] {
        var left: [UIViewController] = []
        while formerCount > kept {
            formerCount -= 1
            left.append(controllers.remove(at: formerCount))
        }
        left.reverse()
        return left
    }

    /// Replaces the former controllers by the collected ones.
    func update() {
        if kept < formerCount { controllers.removeSubrange(kept..<formerCount) }
        formerCount = controllers.count
    }

    /// Replaces all controllers.
    ///
    /// - Returns: The former controllers, so that the caller releases them after the list has changed.
    @discardableResult
    func replaceAll(by controllers: [UIViewController]) -> [UIViewController] {
        kept = 0
        formerCount = controllers.count
        return take(&self.controllers, leaving: controllers)
    }
}
