import Testing
import UIKit
import Usher
import UsherTesting

/// An app with nested containers of one kind.
private enum ContainersApp: App {
    enum Kind: String, Codable {
        case pages, bare, pushedTabs, moved, movedTab, titles, deafTab, deafNavigation, deafWindow, compact
    }

    struct Options: Codable {
        var kind = Kind.pages
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let containers = Containers(window)
            window.rootViewController = containers.root(options.kind)
            return containers
        }
    }
}

@MainActor
private final class Containers {
    private let window: UIWindow
    private let first = UINavigationController()
    private let second = UINavigationController()
    private let tabs = UITabBarController()

    init(_ window: UIWindow) { self.window = window }

    func root(_ kind: ContainersApp.Kind) -> UIViewController {
        switch kind {
        case .pages: return makePages()
        case .bare: return LeafViewController("Leaf", self)
        case .compact: return makeCompact()
        case .pushedTabs:
            first.viewControllers = [LeafViewController("Home", self)]
            return first
        case .titles:
            first.viewControllers = [LeafViewController("Home", self)]
            let item = LeafViewController("Other", self)
            item.tabBarItem = UITabBarItem(title: "Cart", image: nil, tag: 0)
            second.viewControllers = [item]
            tabs.viewControllers = [first, second]
            return tabs
        case .deafNavigation:
            first.viewControllers = [LeafViewController("Home", self), LeafViewController("Leaf", self)]
            return first
        default:
            first.viewControllers = [LeafViewController("Home", self)]
            second.viewControllers = [LeafViewController("Other", self)]
            first.title = "one"
            second.title = "two"
            tabs.viewControllers = kind == .movedTab ? [LeafViewController("Last", self), first] : [first, second]
            if kind == .movedTab { tabs.selectedIndex = 1 }
            return tabs
        }
    }

    private func makePages() -> UIViewController {
        let pages = UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        pages.setViewControllers([LeafViewController("Page", self)], direction: .forward, animated: false)
        pages.navigationItem.rightBarButtonItem = UIBarButtonItem(
            title: "Skip",
            primaryAction: UIAction { [weak pages] _ in pages?.navigationItem.hidesBackButton.toggle() })
        first.viewControllers = [LeafViewController("Home", self), pages]
        return first
    }

    private func makeCompact() -> UIViewController {
        let split = UISplitViewController(style: .doubleColumn)
        split.setViewController(
            UINavigationController(rootViewController: LeafViewController("Home", self)), for: .compact)
        return split
    }

    func take(_ title: String, from controller: UIViewController) {
        switch title {
        case "move": first.setViewControllers(second.viewControllers, animated: false)
        case "steal":
            tabs.viewControllers?.last.map { window.rootViewController?.present(Self.page($0), animated: true) }
        case "tabs":
            let tabs = UITabBarController()
            tabs.viewControllers = [LeafViewController("one", self), LeafViewController("two", self)]
            first.pushViewController(tabs, animated: true)
        case "deafen tab": second.tabBarItem.isEnabled.toggle()
        case "deafen first tab": first.tabBarItem.isEnabled = false
        case "push plainly": first.pushViewController(LeafViewController("Pushed", self), animated: true)
        case "deafen bar": tabs.tabBar.isUserInteractionEnabled.toggle()
        case "hide bar": tabs.tabBar.isHidden = true
        case "push":
            let pushed = LeafViewController("Pushed", self)
            pushed.hidesBottomBarWhenPushed = true
            first.pushViewController(pushed, animated: true)
        case "deafen": first.view.isUserInteractionEnabled = false
        case "deafen window": window.isUserInteractionEnabled = false
        case "detail":
            let detail = UINavigationController(rootViewController: LeafViewController("Detail", self))
            controller.showDetailViewController(detail, sender: nil)
        default: break
        }
    }

    private static func page(_ controller: UIViewController) -> UIViewController {
        let pages = UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        pages.setViewControllers([controller], direction: .forward, animated: false)
        return pages
    }
}

private final class LeafViewController: UIViewController {
    private weak var containers: Containers?

    init(_ title: String, _ containers: Containers) {
        self.containers = containers
        super.init(nibName: nil, bundle: nil)
        self.title = title
        navigationItem.rightBarButtonItem = UIBarButtonItem(title: "Own", primaryAction: UIAction { _ in })
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        let titles = [
            "move", "steal", "deafen tab", "deafen bar", "deafen", "deafen window", "detail", "tabs", "push",
            "hide bar", "deafen first tab", "push plainly",
        ]
        for title in titles {
            let action = UIAction(title: title) { [weak self] _ in
                if let self { containers?.take(title, from: self) }
            }
            view.addSubview(UIButton(primaryAction: action))
        }
    }
}

@Suite("Containers inside containers")
struct ContainerTests {
    private func app(_ kind: ContainersApp.Kind) throws -> AppUnderTest {
        try AppUnderTest(ContainersApp.self, options: .init(kind: kind))
    }

    private func firstAction(_ app: AppUnderTest) -> Bool? { app.visible?.state.contains(#""actions":["Own","#) }

    @Test func `a navigation bar shows the bar items of a pushed container, but not the bar items of its children`()
        throws
    {
        let app = try app(.pages)
        #expect(app.visible?.state.contains(#""actions":["Skip","move""#) == true)
        app.take(.tap("Skip"))
        app.expectRefusal(.invalid) { $0.back() }
        app.take(.tap("Skip"))
        app.back()
        #expect(firstAction(app) == true)
    }

    @Test func `pushing a tab bar controller shows its tabs and causes a warning that going back is impossible`()
        throws
    {
        let app = try app(.pushedTabs)
        app.expectWarning("the user cannot go back from a tab bar") { $0.take(.tap("tabs")) }
        app.expectStack("tab(one){one[leaf], two[leaf]}")
    }

    @Test func `bar items of a controller that is not in a navigation are not shown`() throws {
        let app = try app(.bare)
        #expect(firstAction(app) == false)
        app.expectRefusal(.refused, naming: "no button or action") { $0.take(.tap("Own")) }
    }

    @Test func `a controller that is added to another container is removed from its first container`() throws {
        let app = try app(.moved)
        app.take(.tap("move"))
        app.expectStack("tab(one){one[leaf], two[navigation]}")
    }

    @Test func `a tab bar selects another tab if its selected controller moves to another container`() throws {
        let app = try app(.movedTab)
        app.take(.tap("steal"))
        app.expectStack("tab(Last){Last[leaf]} ⊕ sheet[leaf]")
    }

    @Test func `a tab without its own title has the title of its navigation's root controller`() throws {
        let app = try app(.titles)
        app.expectStack("tab(Home){Home[leaf], Cart[leaf]}")
    }

    @Test func `a tab cannot be selected if the tab or its bar has user interaction disabled`() throws {
        for title in ["deafen tab", "deafen bar"] {
            let app = try app(.deafTab)
            app.take(.tap(title))
            app.select("two")
            app.expectStack("tab(one){one[leaf], two[leaf]}")
            app.take(.tap(title))
            app.select("two")
            app.expectStack("tab(two){one[leaf], two[leaf]}")
        }
    }

    @Test func `no tab can be selected while the tab bar is hidden`() throws {
        let app = try app(.deafTab)
        app.take(.tap("push"))
        // Neither another tab nor the selected tab, which would pop to the root, can be selected.
        for tab in ["two", "one"] {
            app.select(tab)
            app.expectStack("tab(one){one[leaf, leaf], two[leaf]}")
        }
        app.back()
        app.select("two")
        app.expectStack("tab(two){one[leaf], two[leaf]}")
        app.take(.tap("hide bar"))
        app.select("one")
        app.expectStack("tab(two){one[leaf], two[leaf]}")
    }

    @Test(arguments: ["deafen tab", "deafen bar"])
    func `while the tab bar ignores taps, tapping the selected tab does not pop to the tab's root`(title: String) throws
    {
        let app = try app(.deafTab)
        app.take(.tap(title == "deafen tab" ? "deafen first tab" : title))
        app.take(.tap("push plainly"))
        app.select("one")
        app.expectStack("tab(one){one[leaf, leaf], two[leaf]}")
    }

    @Test(arguments: ["deafen", "deafen window"])
    func `tapping and going back are refused if the navigation or the window has user interaction disabled`(
        title: String
    ) throws {
        let app = try app(.deafNavigation)
        app.take(.tap(title))
        for other in ["Own", "move"] {
            app.expectRefusal(.refused, naming: "disabled") { $0.take(.tap(other)) }
        }
        app.expectRefusal(.invalid) { $0.back() }
    }

    @Test func `a navigation controller that is shown as the detail goes onto the compact column's stack`()
        throws
    {
        let app = try app(.compact)
        app.take(.tap("detail"))
        app.expectStack("n[leaf, leaf]")
        app.back()
        app.expectStack("n[leaf]")
    }
}
