/// The screens on display, bottom to top: the stack of the selected tab, and all modals.
package struct Display: Equatable, Sendable {
    /// A screen on display.
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

    /// The screens, bottom to top.
    package var screens: [Item] = []
    /// The selected tab; nil if there are no tabs.
    package var tab: String?

    /// Creates a display.
    package init(_ screens: [Item] = [], tab: String? = nil) {
        (self.screens, self.tab) = (screens, tab)
    }

    /// Predicts the number of screens below the visible one, from the ids on display before the input, bottom to top.
    ///
    /// A new screen usually lies over all of these screens. An older screen usually lies over the screens that were
    /// below it before. If the prediction is right, a journal's entry names only the visible screen.
    package static func expectedCount(below visible: Int?, after former: [Int]) -> Int {
        guard let visible else { return 0 }
        return former.firstIndex(of: visible) ?? former.count
    }
}

extension Tree {
    /// The screens on display now.
    package var display: Display {
        Display(
            window.displayedScreens.map { Display.Item(id: $0.id, name: $0.name) }, tab: window.tabBar?.selectedTab.name
        )
    }

    /// Returns the display; nil if the display can be derived from the visible screen and the display at the last call.
    ///
    /// Call this method after each accepted input.
    package func takeDisplay() -> Display? {
        guard window.changes.moveScreens else { return nil }
        return noteDisplay() ? nil : display
    }

    /// Records the display, so that the next display may be derived from it.
    ///
    /// - Returns: True if the display can be derived from the visible screen and the previous display.
    @discardableResult
    package func noteDisplay() -> Bool {
        // Makes one pass without a copy, because this function runs for every input that moves a screen.
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
    /// A Boolean value indicating whether screens appeared, left or were covered; false if only their state changed.
    var moveScreens: Bool {
        for index in changes.indices {
            if case .update = changes[index] { continue }
            return true
        }
        return false
    }
}
