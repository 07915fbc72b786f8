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
    package static func expectedCount(below visible: Int?, after former: [Int]) -> Int {
        guard let visible else { return 0 }
        return former.firstIndex(of: visible) ?? former.count
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
        return noteDisplay() ? nil : display
    }

    /// Notes the display from which the next one follows.
    ///
    /// - Returns: True if it follows from the one before and from the visible screen.
    @discardableResult
    package func noteDisplay() -> Bool {
        let (top, tab) = (window.top?.id, window.tabBar?.selectedTab.name)
        let kept = Display.expectedCount(below: top, after: notedScreens)
        // In place, because most inputs that move a screen come here.
        notedScreens.removeLast(notedScreens.count - kept)
        if let top { notedScreens.append(top) }
        var (index, isExpected) = (0, tab == notedTab)
        window.forEachDisplayed { screen in
            if index >= notedScreens.count || notedScreens[index] != screen.id { isExpected = false }
            index += 1
        }
        notedTab = tab
        guard !isExpected || index != notedScreens.count else { return true }
        notedScreens.removeAll(keepingCapacity: true)
        window.forEachDisplayed { notedScreens.append($0.id) }
        return false
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
