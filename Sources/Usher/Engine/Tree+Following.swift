/// Support for replaying inputs that another build recorded. This build may reach the same screens in another way.
extension Tree {
    /// Returns a Boolean value indicating whether the recorded screens are on display, and the recorded tab is
    /// selected.
    ///
    /// Screens and tabs are compared by their present or former names.
    package func shows(_ display: Display) -> Bool {
        if let tabBar = window.tabBar, let tab = display.tab, tabBar.presentName(of: tab) != tabBar.selectedTab.name {
            return false
        }
        return window.displayedScreens.elementsEqual(display.screens) { $0.isNamed($1.name) }
    }

    /// Gives the displayed screens their recorded ids, which clients know; other screens with these ids get new ids.
    ///
    /// - Parameters:
    ///   - display: The recorded screens, for which `shows` returns true.
    ///   - ids: The ids that were recorded for screens of the last input and of later inputs. No other screen may have
    ///     these ids.
    package func takeIdentities(of display: Display, keepingFree ids: Range<Int>) {
        advance(to: NextIdentifiers(screen: ids.upperBound))
        let displayed = Array(window.displayedScreens)
        let recorded = Set(display.screens.map(\.id))
        for screen in window.screens where !displayed.contains(where: { $0 === screen }) {
            if recorded.contains(screen.id) || ids.contains(screen.id) { screen.renumber(takeScreenID()) }
        }
        for (screen, item) in zip(displayed, display.screens) where screen.id != item.id { screen.renumber(item.id) }
        window.forEachStack { stack in
            for index in stack.screens.indices where stack.screens[index].digest == 0 { stack.markStale(at: index) }
        }
        encodeAgain()
        // Make a client that has the previous state replace all screens.
        window.forgetChanges(for: ChangeLog(leaving: 0..<0, from: [], for: window))
    }

    /// Skips a recorded input that ends work that this build has not begun.
    package func skipInput() {
        _ = keepNotice(if: true)
        skip(to: revision + 1)
    }
}

extension ScreenInstance {
    fileprivate func isNamed(_ name: String) -> Bool { self.name == name || description.formerNames.contains(name) }
}
