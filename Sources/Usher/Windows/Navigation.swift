/// One stack of screens, which several coordinators may share.
final class Navigation {
    /// Where the stack stands in the window.
    enum Place: Equatable {
        case base
        case tab
        /// Over the base, put there by the coordinator with this id.
        case modal(PresentationStyle, presenter: Int)
    }

    let place: Place
    /// Bottom to top.
    private(set) var screens = Few<ScreenInstance>()
    /// What the screens are as JSON: the entries of a state's `stack`, each with a comma behind it.
    var json: [UInt8] = []
    /// How many screens it does not say as they are, and how many from the bottom it surely does.
    var staleCount = 0
    var freshCount = 0
    /// Where the tree's digest stood before these screens were added to it, and how many of them need not be added again.
    var digestStart: UInt64 = 0
    var digestedCount = 0

    init(_ place: Place) {
        self.place = place
    }

    /// How its first screen is shown.
    var rootShown: Shown {
        guard case .modal(let style, _) = place else { return .root }
        return Shown(style)
    }

    /// The coordinator that presented it, where it is a modal.
    var presenter: Int? {
        guard case .modal(_, let presenter) = place else { return nil }
        return presenter
    }

    func append(_ instance: ScreenInstance) {
        screens.append(instance)
        staleCount += 1
    }

    func index(of instance: ScreenInstance) -> Int? {
        screens.firstIndex { $0 === instance }
    }

    func index(ofScreen id: Int) -> Int? {
        screens.firstIndex { $0.id == id }
    }

    /// Takes off all screens.
    ///
    /// - Returns: What left, top first.
    func removeAll() -> Few<ScreenInstance> {
        removeAll(above: -1)
    }

    /// Takes off all screens above an index.
    ///
    /// - Returns: What left, top first.
    func removeAll(above index: Int) -> Few<ScreenInstance> {
        var leaving = Few<ScreenInstance>()
        while screens.count > index + 1, let top = screens.popLast() {
            json.removeLast(top.byteCount)
            if top.isStale { staleCount -= 1 }
            top.resetEncoding()
            leaving.append(top)
        }
        freshCount = min(freshCount, screens.count)
        digestedCount = min(digestedCount, screens.count)
        return leaving
    }

    /// Takes off the screens from the top down to the first that does not satisfy the predicate.
    ///
    /// - Returns: What left, top first.
    func removeTop(where leaves: (ScreenInstance) -> Bool) -> Few<ScreenInstance> {
        removeAll(above: screens.lastIndex { !leaves($0) } ?? -1)
    }

    /// Takes out all screens that satisfy the predicate, wherever they are; those above them stay in order.
    ///
    /// - Returns: What left, top first.
    func removeAll(where leaves: (ScreenInstance) -> Bool) -> Few<ScreenInstance> {
        guard let first = screens.firstIndex(where: leaves) else { return [] }
        let above = removeAll(above: first - 1)
        for instance in above.reversed() where !leaves(instance) { append(instance) }
        return Few(above.filter(leaves))
    }

    /// Makes the lowest screen the first of the stack, where the one below it has left.
    func promoteFirst() {
        guard let first = screens.first, first.shown != rootShown else { return }
        first.shown = rootShown
        markStale(at: 0)
    }
}
