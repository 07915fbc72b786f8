/// What a session shows: a base (one stack, or tabs), and a chain of modals over it, each with a stack.
///
/// A modal is in the chain from its first screen to its last.
final class Window {
    let base = Navigation(.base)
    /// While there are tabs, `base` is empty and they are shown instead.
    var tabBar: TabBar?
    /// Bottom to top; never changed in place, for what is only read and set needs no check at each access.
    private(set) var modals = Few<Navigation>()

    /// The stack of the base that the user sees.
    var visibleBase: Navigation { tabBar?.selectedTab.navigation ?? base }

    /// The stack that the user sees all of.
    var visible: Navigation { modals.last ?? visibleBase }

    /// Whether the user sees a stack, or what lies over it.
    func isDisplayed(_ navigation: Navigation) -> Bool {
        navigation === visibleBase || modalIndex(of: navigation) != nil
    }

    /// The stacks under all modals, those of hidden tabs included.
    var baseStacks: Few<Navigation> { tabBar.map { Few($0.tabs.lazy.map(\.navigation)) } ?? Few(base) }

    /// All stacks, bottom to top, those of hidden tabs included.
    var all: Few<Navigation> { baseStacks + modals }

    /// Visits all stacks, bottom to top, without a list of them: every input does so several times.
    func forEachStack<Failure>(_ body: (Navigation) throws(Failure) -> Void) throws(Failure) {
        if let tabBar {
            for tab in tabBar.tabs { try body(tab.navigation) }
        } else {
            try body(base)
        }
        for modal in modals { try body(modal) }
    }

    /// How many bytes of JSON all screens have.
    var byteCount: Int {
        var count = 0
        forEachStack { count += $0.json.count }
        return count
    }

    /// All screens, those of hidden tabs included.
    var screens: some Sequence<ScreenInstance> {
        all.lazy.flatMap(\.screens)
    }

    /// The stack that a screen is in, and its place there.
    func find(_ screen: Int) -> (navigation: Navigation, index: Int)? {
        for navigation in all {
            if let index = navigation.index(ofScreen: screen) { return (navigation, index) }
        }
        return nil
    }

    func modalIndex(of navigation: Navigation) -> Int? {
        modals.firstIndex { $0 === navigation }
    }

    /// Puts a modal over all others.
    func add(_ modal: Navigation) {
        modals = modals + Few(modal)
    }

    /// Takes off the topmost modal.
    func popModal() -> Navigation? {
        var rest = modals
        let top = rest.popLast()
        modals = rest
        return top
    }

    /// The index of the first modal that lies over a stack.
    func firstModal(over navigation: Navigation) -> Int {
        modalIndex(of: navigation).map { $0 + 1 } ?? 0
    }
}
