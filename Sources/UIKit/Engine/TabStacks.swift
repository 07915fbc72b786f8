import Usher

/// The stacks of a tab bar's tabs.
// Exclusivity is unchecked, because no access runs code of the app.
@MainActor
final class TabStacks {
    private final class ShownTab {
        let name: String
        let controller: UIViewController
        let coordinator: StackCoordinator
        let stack = ScreenStack()

        init(_ name: String, _ controller: UIViewController) {
            self.name = name
            self.controller = controller
            coordinator = StackCoordinator(named: name)
        }

        @MainActor
        func reconcile(in session: UIKitSession) { stack.show(controller, on: coordinator, in: session) }
    }

    private let controller: UITabBarController
    private let tabs: [ShownTab]
    @safe @exclusivity(unchecked) private var selected: Int

    init(_ controller: UITabBarController, on root: UIKitCoordinator, in session: UIKitSession) {
        self.controller = controller
        selected = controller.selectedIndex
        var names: Set<String> = []
        tabs = (controller.viewControllers ?? []).map { child in
            let tab = ShownTab(Self.name(of: child, except: &names), child)
            tab.coordinator.prepare(tab.stack, child, in: session)
            return tab
        }
        let tabs = tabs
        guard tabs.indices.contains(selected) else { return }
        root.tabs(named: tabs.map(\.name), selected: tabs[selected].name) { _, name in
            tabs.first { $0.name == name }?.coordinator ?? StackCoordinator(named: name)
        }
    }

    var stacks: [ScreenStack] { tabs.map(\.stack) }

    var hasLeft: Bool {
        for place in tabs.indices where tabs[place].stack.hasLeft { return true }
        return false
    }

    func refresh() {
        guard tabs.indices.contains(selected) else { return }
        tabs.each(in: selected..<selected + 1) { $0.stack.refresh(rootRefusal: nil) }
    }

    /// Returns `false` if the tabs or the tab bar have changed.
    func isOf(_ controller: UITabBarController) -> Bool {
        guard controller === self.controller, controller.children.count == tabs.count else { return false }
        for place in tabs.indices where controller.children[place] !== tabs[place].controller { return false }
        return true
    }

    func reconcile(in session: UIKitSession) {
        tabs.each { $0.reconcile(in: session) }
        guard controller.selectedIndex != selected, tabs.indices.contains(controller.selectedIndex) else { return }
        selected = controller.selectedIndex
        session.root?.select(named: tabs[selected].name)
    }

    var asksDelegate: Bool { controller.delegate != nil }

    func canTap(_ name: String) -> Bool {
        guard !controller.tabBar.isHidden, controller.selectedViewController?.hidesBottomBar != true,
            controller.tabBar.isUserInteractionEnabled, controller.takesTaps
        else { return false }
        return tabs.first { $0.name == name }?.controller.tabBarItem?.isEnabled ?? true
    }

    func shouldSelect(_ name: String) -> Bool {
        guard let tab = tabs.first(where: { $0.name == name }) else { return true }
        return controller.delegate?.tabBarController(controller, shouldSelect: tab.controller) ?? true
    }

    /// Selects the tab that the user has tapped, and calls the delegate after the tab is visible.
    func didSelect(_ name: String, in session: UIKitSession) {
        guard let index = tabs.firstIndex(where: { $0.name == name }) else { return }
        selected = index
        controller.selectedIndex = index
        let (tabBar, child) = (controller, tabs[index].controller)
        session.enqueue { tabBar.delegate?.tabBarController(tabBar, didSelect: child) }
    }

    /// Pops to the root, as a tab bar does, unless the delegate prevents this.
    func didReselect(_ name: String) {
        guard canTap(name), shouldSelect(name), let tab = tabs.first(where: { $0.name == name }) else { return }
        (tab.controller as? UINavigationController)?.popToRootViewController(animated: true)
        controller.delegate?.tabBarController(controller, didSelect: tab.controller)
    }

    /// Returns a name that no other tab has.
    private static func name(of controller: UIViewController, except taken: inout Set<String>) -> String {
        let content = controller.shownStack.first ?? controller
        let name =
            controller.tabBarItem?.title ?? controller.title ?? titleOfRoot(controller)
            ?? PlainScreenNames.name(of: type(of: content))
        var unique = name
        var count = 1
        while !taken.insert(unique).inserted {
            count += 1
            unique = "\(name) \(count)"
        }
        return unique
    }

    private static func titleOfRoot(_ controller: UIViewController) -> String? {
        (controller as? UINavigationController)?.viewControllers.first?.title
    }
}

extension UIViewController {
    fileprivate var hidesBottomBar: Bool {
        if let navigation = self as? UINavigationController {
            for pushed in navigation.viewControllers.dropFirst() where pushed.hidesBottomBarWhenPushed { return true }
        }
        for child in visibleChildren where child.hidesBottomBar { return true }
        return false
    }
}
