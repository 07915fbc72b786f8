/// The base of a window as tabs, each with a stack of its own.
final class TabBar {
    /// One tab.
    struct Tab {
        let name: String
        let navigation: Navigation
    }

    /// The id of the coordinator that the tab bar belongs to.
    let owner: Int
    let tabs: [Tab]
    private(set) var selected: Int

    init(owner: Int, names: [String], selected: String) {
        self.owner = owner
        tabs = names.map { Tab(name: $0, navigation: Navigation(.tab)) }
        self.selected = names.firstIndex(of: selected) ?? 0
    }

    var selectedTab: Tab { tabs[selected] }

    func tab(named name: String) -> Tab? {
        tabs.first { $0.name == name }
    }

    func select(_ name: String) {
        selected = tabs.firstIndex { $0.name == name } ?? selected
    }
}
