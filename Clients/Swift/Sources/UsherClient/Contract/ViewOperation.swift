/// An operation on a view that has the screens of one state, and is to have those of another.
public enum ViewOperation: Sendable, Equatable {
    /// A screen left the display; hidden where a tab took it along, and it may come back under its id.
    case remove(Int, isHidden: Bool)
    /// The tabs that stand under the stack now; nil where there are none any more.
    case select(Tabs?)
    /// A screen came on display, at a place counted from the bottom.
    case insert(Screen, at: Int)
    /// A screen that stays has other contents, or other events, which only the visible one has.
    case update(Screen)

    /// The operations that lead a view from one state to another, however many revisions lie between.
    ///
    /// Removals from the top, the tabs, insertions from the bottom, updates: places are right when the operations are
    /// applied in this order.
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

    /// The screens that stay, by id; one whose place among them has changed leaves and comes anew.
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
