import Usher

/// The stacks of a tab bar's tabs.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class TabStacks {
    private struct ShownTab {
        let name: String
        let controller: UIViewController
        let coordinator: StackCoordinator
        let stack: ScreenStack
    }

    private let controller: UITabBarController
    private let tabs: [ShownTab]
    /// The stacks of all tabs.
    let stacks: [ScreenStack]
    @safe @exclusivity(unchecked) private var selected: Int

    /// Makes the base of the window a tab bar.
    init(_ controller: UITabBarController, on root: UIKitCoordinator, in session: UIKitSession) {
        self.controller = controller
        selected = controller.selectedIndex
        var names: Set<String> = []
        tabs = (controller.viewControllers ?? []).map { child in
            let name = Self.name(of: child, except: &names)
            let coordinator = StackCoordinator(named: name)
            let stack = ScreenStack(coordinator, session)
            coordinator.prepare(stack, child.shownStack, in: session)
            return ShownTab(name: name, controller: child, coordinator: coordinator, stack: stack)
        }
        let tabs = tabs
        stacks = tabs.map(\.stack)
        guard tabs.indices.contains(selected) else { return }
        root.tabs(named: tabs.map(\.name), selected: tabs[selected].name) { _, name in
            tabs.first { $0.name == name }?.coordinator ?? StackCoordinator(named: name)
        }
    }

    /// The stack that the user sees.
    var selectedStack: ScreenStack? { tabs.indices.contains(selected) ? tabs[selected].stack : nil }

    /// False where there are other tabs now, or another tab bar.
    func isOf(_ controller: UITabBarController) -> Bool {
        guard controller === self.controller, controller.children.count == tabs.count else { return false }
        for place in tabs.indices where controller.children[place] !== tabs[place].controller { return false }
        return true
    }

    /// Has the engine show what the tabs have come to.
    func reconcile(_ root: UIKitCoordinator, by wanted: inout [UIViewController]) {
        for place in tabs.indices { stacks[place].show(tabs[place].controller, by: &wanted) }
        guard controller.selectedIndex != selected, tabs.indices.contains(controller.selectedIndex) else { return }
        selected = controller.selectedIndex
        root.select(named: tabs[selected].name)
    }

    /// True where somebody wants to be asked before the user selects a tab.
    var asksDelegate: Bool { controller.delegate != nil }

    /// False where the bar is hidden or takes no taps, or not for this tab.
    func canTap(_ name: String) -> Bool {
        guard !controller.tabBar.isHidden, controller.selectedViewController?.hidesBottomBar != true,
            controller.tabBar.isUserInteractionEnabled, controller.takesTaps
        else { return false }
        return tabs.first { $0.name == name }?.controller.tabBarItem.isEnabled ?? true
    }

    func shouldSelect(_ name: String) -> Bool {
        guard let tab = tabs.first(where: { $0.name == name }) else { return true }
        return controller.delegate?.tabBarController(controller, shouldSelect: tab.controller) ?? true
    }

    /// Follows the user, and tells the delegate once the tab is on display.
    func didSelect(_ name: String, in session: UIKitSession) {
        guard let index = tabs.firstIndex(where: { $0.name == name }) else { return }
        selected = index
        controller.selectedIndex = index
        let (tabBar, child) = (controller, tabs[index].controller)
        session.enqueue { tabBar.delegate?.tabBarController(tabBar, didSelect: child) }
    }

    /// Pops to the root, as a tab bar does where the delegate does not object.
    func didReselect(_ name: String) {
        guard canTap(name), shouldSelect(name), let tab = tabs.first(where: { $0.name == name }) else { return }
        (tab.controller as? UINavigationController)?.popToRootViewController(animated: true)
        controller.delegate?.tabBarController(controller, didSelect: tab.controller)
    }

    /// A name that no other tab has.
    private static func name(of controller: UIViewController, except taken: inout Set<String>) -> String {
        let content = controller.shownStack.first ?? controller
        let name =
            controller.tabBarItem.title ?? controller.title ?? titleOfRoot(controller)
            ?? PlainScreenNames.name(of: type(of: content))
        var unique = name
        var count = 1
        while !taken.insert(unique).inserted {
            count += 1
            unique = "\(name) \(count)"
        }
        return unique
    }

    /// A navigation without a title of its own is called like its root.
    private static func titleOfRoot(_ controller: UIViewController) -> String? {
        (controller as? UINavigationController)?.viewControllers.first?.title
    }
}

extension UIViewController {
    /// True if what is visible in it hides the bar of the tabs that it is in.
    fileprivate var hidesBottomBar: Bool {
        if let navigation = self as? UINavigationController {
            for pushed in navigation.viewControllers.dropFirst() where pushed.hidesBottomBarWhenPushed { return true }
        }
        for child in visibleChildren where child.hidesBottomBar { return true }
        return false
    }
}
