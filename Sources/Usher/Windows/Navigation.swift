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
    private(set) var screens: [ScreenInstance] = []

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
    func removeAll() -> [ScreenInstance] {
        removeAll(above: -1)
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
        removeAll(above: screens.lastIndex { !leaves($0) } ?? -1)
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

    /// Makes the lowest screen the first of the stack, where the one below it has left.
    func promoteFirst() {
        guard let first = screens.first, first.shown != rootShown else { return }
        first.shown = rootShown
        first.needsEncoding = true
    }
}
