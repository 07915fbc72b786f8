/// What a replay by another build does with a tree that comes to the same screens on another way.
extension Tree {
    /// Returns a Boolean value indicating whether the user sees the screens that were recorded, by their present or former
    /// names, in the tab that was selected, by its present or former name.
    package func shows(_ display: Display) -> Bool {
        if let tabBar = window.tabBar, let tab = display.tab, tabBar.presentName(of: tab) != tabBar.selectedTab.name {
            return false
        }
        return window.displayedScreens.elementsEqual(display.screens) { $0.isNamed($1.name) }
    }

    /// Gives the screens on display the ids that were recorded, which clients know, and others new ids if theirs are among
    /// these.
    ///
    /// - Parameters:
    ///   - display: The recorded screens, which are on display by `shows`.
    ///   - ids: The ids that were recorded for screens of the last input and later ones. No other screen may have one.
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
        // A client that knows the state before learns of all screens anew.
        window.forgetChanges(for: ChangeLog(leaving: 0..<0, from: [], for: window))
    }

    /// Passes over a recorded input that ends work which this build does not begin.
    package func skipInput() {
        _ = keepNotice(if: true)
        skip(to: revision + 1)
    }
}

extension ScreenInstance {
    /// Returns a Boolean value indicating whether it has a name, or had in an earlier build.
    fileprivate func isNamed(_ name: String) -> Bool { self.name == name || description.formerNames.contains(name) }
}
