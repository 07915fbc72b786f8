/// One stack of screens, which several coordinators may share.
final class Navigation {
    /// Bottom to top.
    private(set) var screens: [ScreenInstance] = []

    func append(_ instance: ScreenInstance) {
        screens.append(instance)
    }

    func index(of instance: ScreenInstance) -> Int? {
        screens.firstIndex { $0 === instance }
    }

    func index(ofScreen id: Int) -> Int? {
        screens.firstIndex { $0.id == id }
    }

    /// Takes off all screens above an index.
    ///
    /// - Returns: What left, top first.
    func removeAll(above index: Int) -> [ScreenInstance] {
        let leaving = Array(screens[(index + 1)...].reversed())
        screens.removeLast(leaving.count)
        return leaving
    }

    /// Takes off the screens from the top down to the first that does not satisfy the predicate.
    ///
    /// - Returns: What left, top first.
    func removeTop(where leaves: (ScreenInstance) -> Bool) -> [ScreenInstance] {
        let kept = screens.lastIndex { !leaves($0) } ?? -1
        return removeAll(above: kept)
    }

    /// Takes out all screens that satisfy the predicate, wherever they are; those above them stay in order.
    ///
    /// - Returns: What left, top first.
    func removeAll(where leaves: (ScreenInstance) -> Bool) -> [ScreenInstance] {
        let leaving = screens.reversed().filter(leaves)
        guard !leaving.isEmpty else { return [] }
        screens.removeAll(where: leaves)
        return leaving
    }

    /// Makes the lowest screen the root of the stack, where the one below it has left.
    func promoteRoot() {
        guard let first = screens.first, first.shown != .root else { return }
        first.shown = .root
        first.needsEncoding = true
    }
}
