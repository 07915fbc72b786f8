/// A step that leads a view from the screens of one state to the screens of another.
public enum ViewOperation: Sendable, Equatable {
    /// Removes a screen.
    ///
    /// A hidden screen left together with its tab, and may come back with the same id.
    case remove(Int, isHidden: Bool)
    /// Shows these tabs below the stack; nil removes the tabs.
    case select(Tabs?)
    /// Inserts a screen at an index, counted from the bottom.
    case insert(Screen, at: Int)
    /// Updates a screen whose state or events have changed.
    case update(Screen)

    /// Returns the operations that lead a view from one state to another, across any number of revisions.
    ///
    /// The operations are removals from the top, the tabs, insertions from the bottom, and updates. Indices are valid
    /// if the operations are applied in this order.
    public static func leading(from before: SessionState?, to after: SessionState) -> [ViewOperation] {
        let old = before?.stack ?? []
        let kept = keptScreens(of: old, in: after.stack)
        var list = removals(from: before, to: after, keeping: kept)
        if before?.tabs != after.tabs { list.append(.select(after.tabs)) }
        for (place, screen) in after.stack.enumerated() where kept[screen.id] == nil {
            list.append(.insert(screen, at: place))
        }
        for screen in after.stack {
            if let before = kept[screen.id], before != screen { list.append(.update(screen)) }
        }
        return list
    }

    private static func removals(
        from before: SessionState?, to after: SessionState, keeping kept: [Int: Screen]
    ) -> [ViewOperation] {
        let old = before?.stack ?? []
        let isTabChange = before?.tabs != nil && after.tabs != nil && before?.tabs?.selected != after.tabs?.selected
        let firstModal = old.firstIndex { $0.shown.beginsModal } ?? old.endIndex
        return old.enumerated().reversed().filter { kept[$0.element.id] == nil }.map { place, screen in
            let isHidden = isTabChange && place < firstModal && !hasLeft(screen.id, by: after.changes)
            return .remove(screen.id, isHidden: isHidden)
        }
    }

    /// Returns the screens that stay, by id.
    ///
    /// A screen that changes its place is removed and inserted.
    private static func keptScreens(of old: [Screen], in new: [Screen]) -> [Int: Screen] {
        let places = Dictionary(old.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        var kept: [Int: Screen] = [:]
        var last = -1
        for screen in new {
            guard let place = places[screen.id], place > last else { continue }
            last = place
            kept[screen.id] = old[place]
        }
        return kept
    }

    private static func hasLeft(_ id: Int, by changes: [JSON]) -> Bool {
        changes.contains { change in
            [change["pop"], change["remove"], change["dismiss"], change["replace"]?["out"]].contains { ids in
                ids?.elements?.contains { $0.int == id } ?? false
            }
        }
    }
}
