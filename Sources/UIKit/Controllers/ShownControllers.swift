/// A list of the shown controllers, which each update collects again and compares with the list of the last update.
///
/// Both lists are in one array, so that each controller is retained only once.
@MainActor
final class ShownControllers {
    /// The controllers of the last update, bottom to top; during collection, the new controllers follow.
    @safe @exclusivity(unchecked) private(set) var controllers: [UIViewController] = []
    /// The number of controllers of the last update that are still in the list.
    @safe @exclusivity(unchecked) private var formerCount = 0
    /// The number of controllers at the bottom that are the same as in the last update.
    @safe @exclusivity(unchecked) private(set) var kept = 0

    /// The number of collected controllers, with the kept ones.
    var count: Int { kept + controllers.count - formerCount }

    subscript(place: Int) -> UIViewController { controllers[place < kept ? place : place - kept + formerCount] }

    /// A Boolean value that indicates whether the collected controllers are the controllers of the last update.
    var isSame: Bool { kept == controllers.count }

    func beginCollecting() { removeAll(from: 0) }

    /// Collects the controllers that represent a controller in one of the engine's stacks.
    func collect(_ controller: UIViewController) {
        beginCollecting()
        controller.appendShown(to: self)
    }

    func append(_ controller: UIViewController) {
        if controllers.count == formerCount, kept < formerCount, controllers[kept] === controller {
            kept += 1
        } else {
            controllers.append(controller)
        }
    }

    func removeAll(from place: Int) {
        let added = max(place - kept, 0)
        kept = min(place, kept)
        while controllers.count > formerCount + added { controllers.removeLast() }
    }

    /// Removes and returns the controllers of the last update that were not collected again, bottom to top.
    func takeLeft() -> [UIViewController] {
        var left: [UIViewController] = []
        while formerCount > kept {
            formerCount -= 1
            left.append(controllers.remove(at: formerCount))
        }
        left.reverse()
        return left
    }

    /// Replaces the controllers of the last update by the collected ones.
    func update() {
        if kept < formerCount { controllers.removeSubrange(kept..<formerCount) }
        formerCount = controllers.count
    }

    /// Replaces all controllers, and returns the former ones, so that the caller releases them after the change.
    @discardableResult
    func replaceAll(by controllers: [UIViewController]) -> [UIViewController] {
        kept = 0
        formerCount = controllers.count
        return take(&self.controllers, leaving: controllers)
    }
}
