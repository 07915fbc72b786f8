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
        // In one walk and in place, because most inputs that move a screen come here.
        var (count, same, top) = (0, 0, 0)
        window.forEachDisplayed { screen in
            top = screen.id
            if same == count, count < notedScreens.count, notedScreens[count] == top { same += 1 }
            count += 1
        }
        let tab = window.tabBar?.selectedTab.name
        let isSameTab = tab == notedTab
        notedTab = tab
        if same == count {
            notedScreens.removeLast(notedScreens.count - count)
        } else if same == notedScreens.count, count == same + 1 {
            notedScreens.append(top)
        } else {
            notedScreens.removeAll(keepingCapacity: true)
            window.forEachDisplayed { notedScreens.append($0.id) }
            return false
        }
        return isSameTab
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
