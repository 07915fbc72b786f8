/// The screens that a user sees, bottom to top: the whole stack of the selected tab, and all modals.
package struct Display: Equatable, Sendable {
    /// One of the screens.
    package struct Item: Equatable, Sendable {
        /// The screen's id.
        package let id: Int
        /// The screen's name.
        package let name: String

        /// Creates an item.
        package init(id: Int, name: String) {
            (self.id, self.name) = (id, name)
        }
    }

    /// The screens.
    package var screens: [Item] = []
    /// The selected tab; nil if there are no tabs.
    package var tab: String?

    /// Creates a display.
    package init(_ screens: [Item] = [], tab: String? = nil) {
        (self.screens, self.tab) = (screens, tab)
    }

    /// The number of screens that most inputs would leave below the visible one: all if it is new, those below it if it was
    /// among them.
    ///
    /// An entry of the journal names only the visible screen if the display follows from that.
    ///
    /// - Parameters:
    ///   - visible: The visible screen's id; nil if there is none.
    ///   - former: The ids before the input, bottom to top.
    package static func expectedCount(below visible: Int?, after former: some Collection<Int>) -> Int {
        guard let visible else { return 0 }
        return former.enumerated().first { $0.element == visible }?.offset ?? former.count
    }
}

extension Tree {
    /// The screens that the user sees now.
    package var display: Display {
        Display(
            window.displayedScreens.map { Display.Item(id: $0.id, name: $0.name) }, tab: window.tabBar?.selectedTab.name
        )
    }

    /// The display, if it does not follow from the one at the last call and from the visible screen.
    ///
    /// To be called after each input that counts.
    package func takeDisplay() -> Display? {
        guard window.changes.moveScreens else { return nil }
        let tab = window.tabBar?.selectedTab.name
        var ids = SmallArray<Int>()
        window.forEachDisplayed { ids.append($0.id) }
        defer { notedDisplay = (ids, tab) }
        let count = Display.expectedCount(below: ids.last, after: notedDisplay.ids)
        let isExpected =
            count == max(0, ids.count - 1) && ids.prefix(count).elementsEqual(notedDisplay.ids.prefix(count))
        return isExpected && tab == notedDisplay.tab ? nil : display
    }
}

extension Tree {
    /// Notes the display from which the next one follows; for a tree that was built by replay.
    package func noteDisplay() {
        var ids = SmallArray<Int>()
        window.forEachDisplayed { ids.append($0.id) }
        notedDisplay = (ids, window.tabBar?.selectedTab.name)
    }
}

extension ChangeLog {
    /// A Boolean value indicating whether screens came, left or were covered, and not only changed their state.
    var moveScreens: Bool {
        for index in changes.indices {
            if case .update = changes[index] { continue }
            return true
        }
        return false
    }
}

extension Window {
    /// Visits the screens that the user sees, bottom to top.
    func forEachDisplayed(_ body: (ScreenInstance) -> Void) {
        visibleBase.screens.visit(body)
        if !modals.isEmpty { modals.visit { $0.screens.visit(body) } }
    }
}
