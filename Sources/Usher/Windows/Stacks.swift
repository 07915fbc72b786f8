/// Stacks of a window, bottom to top: the base or the tabs, then the modals.
///
/// A sequence and no array, for every input walks them several times.
struct Stacks: Sequence, IteratorProtocol {
    private var base: Navigation?
    private var tabs: ArraySlice<TabBar.Tab>
    private var modals: Slice<Few<Navigation>>

    init(base: Navigation?, tabs: [TabBar.Tab], modals: Few<Navigation>) {
        self.base = base
        self.tabs = tabs[...]
        self.modals = modals[...]
    }

    mutating func next() -> Navigation? {
        if let base {
            self.base = nil
            return base
        }
        return tabs.popFirst()?.navigation ?? modals.popFirst()
    }
}
