import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of an app's own containers, which show all their children: Apple, Creating a Custom Container View Controller.
@Suite
struct OwnContainerTests {
    @Test func `a container stays in the stack when it replaces or removes its child`() throws {
        let app = try AppUnderTest(ContainerApp.self)
        app.send("tap", ["action": "Add One"])
        app.expectStack("n[page]")
        app.send("tap", ["action": "Add Two"])
        app.expectStack("n[page]")
        app.send("tap", ["action": "Remove"])
        app.expectStack("n[page]")
    }

    @Test func `a child controller that stays in memory after its container removes it is a leak`() throws {
        let app = try AppUnderTest(ContainerApp.self)
        app.send("tap", ["action": "Add One"])
        app.expectLeak("PageViewController") { $0.send("tap", ["action": "Remove and keep"]) }
    }

    @Test func `the state lists each action of a container and of its visible children once`() throws {
        let app = try AppUnderTest(ContainerApp.self)
        app.send("tap", ["action": "Add One"])
        app.send("tap", ["action": "Add Two"])
        app.expectState(
            #"{"title":"Two","actions":["In Two","In One","Add One","Add Two","Remove","Remove and keep","Sheet","Add Group","Hide first","Take first away","Hide last","Fade last","Take away last","Wrap and hide last","Show last"]}"#
        )
        app.send("tap", ["action": "In One"])
        app.expectState(
            #"{"title":"Two","actions":["In Two","Tapped","Add One","Add Two","Remove","Remove and keep","Sheet","Add Group","Hide first","Take first away","Hide last","Fade last","Take away last","Wrap and hide last","Show last"]}"#
        )
    }

    @Test func `the state lists no actions of a hidden child and its children`() throws {
        let app = try AppUnderTest(ContainerApp.self)
        for action in ["Add Group", "Add Two"] { app.send("tap", ["action": action]) }
        #expect(app.visible?.state.contains("Of Group") == true && app.visible?.state.contains("In Group") == true)
        app.send("tap", ["action": "Hide first"])
        let state = app.visible?.state ?? ""
        #expect(!state.contains("Of Group") && !state.contains("In Group"), "\(state)")
        app.expectRefusal(.refused) { $0.send("tap", ["action": "Of Group"]) }
        app.expectRefusal(.refused) { $0.send("tap", ["action": "In Group"]) }
    }

    @Test func `the state lists no actions of a child whose view has no superview, if another child is visible`() throws
    {
        let app = try AppUnderTest(ContainerApp.self)
        for action in ["Add Group", "Add Two", "Take first away"] { app.send("tap", ["action": action]) }
        #expect(app.visible?.state.contains("Of Group") == false, "\(app.visible?.state ?? "")")
    }

    @Test(arguments: ["Hide", "Fade", "Take away", "Wrap and hide"])
    func `a container is shown as its last visible child, or as itself if all children are hidden`(
        _ way: String
    ) throws {
        let app = try AppUnderTest(ContainerApp.self)
        for action in ["Add One", "Add Two"] { app.send("tap", ["action": action]) }
        app.send("tap", ["action": "\(way) last"])
        app.expectStack("n[page]")
        #expect(app.visible?.state.contains(#""title":"One""#) == true, "\(app.visible?.state ?? "")")
        app.send("tap", ["action": "Show last"])
        #expect(app.visible?.state.contains(#""title":"Two""#) == true, "\(app.visible?.state ?? "")")
        app.send("tap", ["action": "\(way) last"])
        app.send("tap", ["action": "Hide first"])
        app.expectStack("n[row]")
    }

    @Test func `a sheet that the app implements as a child closes when its container's button is tapped`() throws {
        let app = try AppUnderTest(ContainerApp.self)
        app.send("tap", ["action": "Sheet"])
        app.expectStack("n[row] ⊕ overFullScreen[page]")
        app.send("tap", ["action": "In Sheet"])
        app.send("tap", ["action": "Close"])
        app.expectStack("n[row]")
    }
}

private enum ContainerApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = RowViewController()
            return nil
        }
    }
}

/// A container that shows its children side by side.
private final class RowViewController: UIViewController {
    private var kept: UIViewController?

    override func viewDidLoad() {
        for (title, perform) in [
            ("Add One", { $0.add("One") }), ("Add Two", { $0.add("Two") }), ("Remove", { $0.removeLast() }),
            ("Remove and keep", { $0.kept = $0.removeLast() }), ("Sheet", { $0.showSheet() }),
            ("Add Group", { $0.add(GroupViewController("Group")) }),
            ("Hide first", { $0.children.first?.view.isHidden = true }),
            ("Take first away", { $0.children.first?.view.removeFromSuperview() }),
            ("Hide last", { $0.children.last?.view.isHidden = true }),
            ("Fade last", { $0.children.last?.view.alpha = 0 }),
            ("Take away last", { $0.children.last?.view.removeFromSuperview() }),
            ("Wrap and hide last", { $0.wrapLast().isHidden = true }), ("Show last", { $0.showLast() }),
        ] as [(String, (RowViewController) -> Void)] {
            view.addSubview(UIButton(primaryAction: UIAction(title: title) { [unowned self] _ in perform(self) }))
        }
    }

    private func add(_ title: String) { add(PageViewController(title)) }

    private func add(_ page: PageViewController) {
        addChild(page)
        view.addSubview(page.view)
        page.didMove(toParent: self)
    }

    @discardableResult
    private func removeLast() -> UIViewController? {
        let last = children.last
        last?.willMove(toParent: nil)
        last?.view.removeFromSuperview()
        last?.removeFromParent()
        return last
    }

    private func wrapLast() -> UIView {
        let wrapper = UIView()
        view.addSubview(wrapper)
        if let last = children.last { wrapper.addSubview(last.view) }
        return wrapper
    }

    private func showLast() {
        guard let last = children.last else { return }
        (last.view.isHidden, last.view.alpha) = (false, 1)
        view.addSubview(last.view)
    }

    private func showSheet() {
        let sheet = SheetViewController()
        sheet.modalPresentationStyle = .custom
        present(sheet, animated: true)
    }
}

private final class SheetViewController: UIViewController {
    override func viewDidLoad() {
        let page = PageViewController("Sheet")
        addChild(page)
        view.addSubview(page.view)
        page.didMove(toParent: self)
        let close = UIAction(title: "Close") { [unowned self] _ in dismiss(animated: true) }
        view.addSubview(UIButton(primaryAction: close))
    }
}

private class PageViewController: UIViewController {
    init(_ title: String) {
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        let button = UIButton(type: .system)
        button.setTitle("In \(title ?? "")", for: .normal)
        button.addAction(
            UIAction { action in (action.sender as? UIButton)?.setTitle("Tapped", for: .normal) }, for: .touchUpInside)
        view.addSubview(button)
    }
}

/// A page with its own action, which contains another page.
private final class GroupViewController: PageViewController {
    override var actionsOfScreen: [UIAction] { [UIAction(title: "Of Group") { _ in }] }

    override func viewDidLoad() {
        let page = PageViewController("Group")
        addChild(page)
        page.didMove(toParent: self)
        page.loadViewIfNeeded()
    }
}
