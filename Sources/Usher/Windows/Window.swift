/// What a session shows: a base (one stack, or tabs), and a chain of modals over it, each with a stack.
///
/// A modal is in the chain from its first screen to its last.
final class Window {
    let base = Navigation(.base)
    /// While there are tabs, `base` is empty and they are shown instead.
    var tabBar: TabBar?
    /// Bottom to top.
    var modals: [Navigation] = []

    /// The stack of the base that the user sees.
    var visibleBase: Navigation { tabBar?.selectedTab.navigation ?? base }

    /// The stack that the user sees all of.
    var visible: Navigation { modals.last ?? visibleBase }

    /// The stacks on display, bottom to top.
    var displayed: Stacks { Stacks(base: visibleBase, tabs: [], modals: modals) }

    /// Whether the user sees a stack, or what lies over it.
    func isDisplayed(_ navigation: Navigation) -> Bool {
        navigation === visibleBase || modalIndex(of: navigation) != nil
    }

    /// All stacks, those of hidden tabs included.
    var all: Stacks { Stacks(base: tabBar == nil ? base : nil, tabs: tabBar?.tabs ?? [], modals: modals) }

    /// The stacks under all modals, those of hidden tabs included.
    var baseStacks: Stacks { Stacks(base: tabBar == nil ? base : nil, tabs: tabBar?.tabs ?? [], modals: []) }

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

    /// The index of the first modal that lies over a stack.
    func firstModal(over navigation: Navigation) -> Int {
        modalIndex(of: navigation).map { $0 + 1 } ?? 0
    }
}
