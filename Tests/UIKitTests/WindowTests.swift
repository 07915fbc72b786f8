import Testing
import UIKit
import Usher
import UsherTesting

/// An app with a second window above its first.
private enum OverlayApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let windows = TwoWindows()
            window.rootViewController = MainViewController(windows)
            return windows
        }
    }
}

/// The object that retains the second window.
@MainActor
private final class TwoWindows {
    private var overlay: UIWindow?
    private var retained: UIViewController?

    func open() {
        let window = UIWindow()
        window.rootViewController = OverlayViewController(self)
        window.makeKeyAndVisible()
        overlay = window
    }

    /// Shows the window without making it key.
    func uncover() {
        let window = UIWindow()
        window.rootViewController = OverlayViewController(self)
        window.isHidden = false
        overlay = window
    }

    func setHidden(_ isHidden: Bool) { overlay?.isHidden = isHidden }

    func release() { overlay = nil }

    /// Retains the overlay's controller forever.
    func retain() { retained = overlay?.rootViewController }

    func openAndForget() {
        let window = UIWindow()
        window.rootViewController = OverlayViewController(self)
        window.makeKeyAndVisible()
    }
}

private class WindowViewController: UIViewController {
    let windows: TwoWindows

    init(_ windows: TwoWindows) {
        self.windows = windows
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var actionsOfScreen: [UIAction] {
        let windows = windows
        return [
            UIAction(title: "open") { _ in windows.open() },
            UIAction(title: "show") { _ in windows.setHidden(false) },
            UIAction(title: "hide") { _ in windows.setHidden(true) },
            UIAction(title: "release") { _ in windows.release() },
            UIAction(title: "uncover") { _ in windows.uncover() },
            UIAction(title: "retain") { _ in windows.retain() },
            UIAction(title: "forget") { _ in windows.openAndForget() },
            UIAction(title: "hide all") { _ in UIApplication.shared.windows.forEach { $0.isHidden = true } },
            UIAction(title: "present") { [weak self] _ in self?.present(SheetViewController(), animated: true) },
        ]
    }
}

private final class MainViewController: WindowViewController {}

private final class OverlayViewController: WindowViewController {}

private final class SheetViewController: UIViewController {}

@Suite("Windows of a UIKit app")
struct WindowTests {
    @Test func `hiding a window shows the window below, and a hidden window can be shown again`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("open"))
        app.expectStack("n[overlay]")
        app.take(.tap("hide"))
        app.expectStack("n[main]")
        app.take(.tap("show"))
        app.expectStack("n[overlay]")
    }

    @Test func `a window that is hidden and shown again is above all other windows`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("uncover"))
        app.expectStack("n[overlay]")
        app.take(.tap("hide"))
        app.take(.tap("show"))
        app.expectStack("n[overlay]")
    }

    @Test func `hiding a window hides its modals`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("open"))
        app.take(.tap("present"))
        app.expectStack("n[overlay] ⊕ sheet[sheet]")
        app.back()
        app.take(.tap("hide"))
        app.take(.tap("present"))
        app.expectStack("n[main] ⊕ sheet[sheet]")
    }

    @Test func `without a visible window, the screen is an empty window`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("hide all"))
        app.expectStack("n[emptyWindow]")
    }

    @Test func `a window that is released leaves the screen`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("open"))
        app.take(.tap("release"))
        app.expectStack("n[main]")
        app.take(.tap("forget"))
        app.expectStack("n[main]")
    }

    @Test func `a controller that stays in memory after its hidden window is released is a leak`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        for title in ["open", "retain", "hide"] { app.take(.tap(title)) }
        app.expectLeak("OverlayViewController") { $0.take(.tap("release")) }
    }

    /// developer.apple.com/documentation/uikit/uiwindow: windows are stacked, and no window removes another's views.
    @Test(arguments: ["hide", "release", "main first"])
    func `an alert in its own window covers the other screens, which keep their ids and get no callbacks`(
        _ end: String
    ) throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("push")
        let (screens, calls) = (app.screens.map(\.id), app.calls)
        app.send("alert", ["then": end])
        app.expectStack("n[caller, caller] ⊕ alert[alert]")
        #expect(app.screens.map(\.id).starts(with: screens))
        app.send("tap", ["action": "OK"])
        app.expectStack("n[caller, caller]")
        #expect(app.screens.map(\.id) == screens)
        #expect(app.calls == calls + ["OK"])
        app.back()
        app.expectStack("n[caller]")
    }

    @Test func `an alert in its own window covers a sheet and tabs`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("tabs")
        app.send("present")
        let screens = app.screens.map(\.id)
        app.send("alert", ["then": "hide"])
        app.expectStack("tab(One){One[caller], Two[caller]} ⊕ sheet[caller] ⊕ alert[alert]")
        app.send("tap", ["action": "OK"])
        app.expectStack("tab(One){One[caller], Two[caller]} ⊕ sheet[caller]")
        #expect(app.screens.map(\.id) == screens)
    }

    /// developer.apple.com/documentation/uikit/uiwindow/windowlevel: a higher level is displayed in front of lower ones.
    @Test func `an alert in a window of a higher level stays above a window that becomes key later`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("alert", ["then": "level"])
        app.expectStack("n[caller] ⊕ alert[alert]")
        app.send("tap", ["action": "OK"])
        app.expectStack("n[caller]")
    }

    /// developer.apple.com/documentation/uikit/uiwindow/makekey(): the window becomes key, and stays as visible.
    @Test func `an alert in its own window stays when another window becomes key`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("alert", ["then": "key"])
        app.expectStack("n[caller] ⊕ alert[alert]")
        app.send("tap", ["action": "OK"])
        app.expectStack("n[caller]")
    }

    @Test func `the screens below stay visible while a window with a custom root presents an alert`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("alert", ["then": "own root"])
        app.expectStack("n[caller] ⊕ alert[alert]")
        app.send("tap", ["action": "OK"])
        app.expectStack("n[caller]")
    }

    @Test func `the user can swipe back in the navigation that an alert's window presents`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("alert", ["then": "navigation"])
        app.expectStack("n[caller] ⊕ sheet[caller, caller]")
        app.open(UIKitCoordinator.Flow.cancelledPop)
        app.expectStack("n[caller] ⊕ sheet[caller, caller]")
        app.back()
        app.expectStack("n[caller] ⊕ sheet[caller]")
    }

    @Test func `the user cannot swipe back in a navigation that an alert's window or a sheet covers`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("push")
        app.open(UIKitCoordinator.Flow.cancelledPop)
        let words = "no swipe back can begin"
        app.send("alert", ["then": "hide"])
        app.expectRefusal(.refused, naming: words) { $0.open(UIKitCoordinator.Flow.cancelledPop) }
        app.send("tap", ["action": "OK"])
        app.send("present")
        app.expectRefusal(.refused, naming: words) { $0.open(UIKitCoordinator.Flow.cancelledPop) }
        app.expectStack("n[caller, caller] ⊕ sheet[caller]")
    }

    @Test func `a warning appears if an empty window above the other windows receives all taps`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("alert", ["then": "forget"])
        app.expectWarning("receives all taps: hide or release the empty window") { $0.send("tap", ["action": "OK"]) }
        app.expectStack("n[caller]")
        app.send("push")
    }

    @Test func `showing a window above another window calls no appearance methods of the covered controllers`() throws {
        let app = try AppUnderTest(AlertWindowApp.self)
        app.send("cover")
        app.expectStack("n[cover]")
        app.take(.tap("uncover"))
        app.expectStack("n[caller]")
        #expect(app.calls == ["viewWillAppear", "viewDidAppear"])
    }

    @Test func `a coordinator whose window is hidden or covered is not a zombie`() throws {
        let app = try AppUnderTest(LockedApp.self)
        app.take(.tap("lock"))
        app.expectStack("n[lock]")
        app.take(.tap("unlock"))
        app.expectStack("n[home]")
    }
}

/// An app whose coordinators each have a window.
private enum LockedApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let coordinator = LockedAppCoordinator()
            coordinator.start(in: window)
            return coordinator
        }
    }
}

@MainActor
private final class LockedAppCoordinator {
    private var childCoordinators: [WindowCoordinator] = []

    func start(in window: UIWindow) {
        add(WindowCoordinator(window, HomeViewController()))
    }

    func lock() {
        let window = UIWindow()
        add(WindowCoordinator(window, LockViewController()))
        window.makeKeyAndVisible()
    }

    private func add(_ child: WindowCoordinator) {
        child.parent = self
        childCoordinators.append(child)
    }

    func unlock() { childCoordinators.last?.window.isHidden = true }
}

@MainActor
private final class WindowCoordinator {
    weak var parent: LockedAppCoordinator?
    let window: UIWindow

    init(_ window: UIWindow, _ controller: LockedViewController) {
        self.window = window
        controller.coordinator = self
        window.rootViewController = controller
    }
}

private class LockedViewController: UIViewController {
    weak var coordinator: WindowCoordinator?

    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "lock") { [weak self] _ in self?.coordinator?.parent?.lock() },
            UIAction(title: "unlock") { [weak self] _ in self?.coordinator?.parent?.unlock() },
        ]
    }
}

private final class HomeViewController: LockedViewController {}

private final class LockViewController: LockedViewController {}

/// An app that shows its alerts in a separate window.
private enum AlertWindowApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let caller = Caller(window)
            window.rootViewController = UINavigationController(rootViewController: CallerViewController(caller))
            return caller
        }
    }
}

@MainActor
private final class Caller {
    private let window: UIWindow
    private var other: UIWindow?
    private(set) var calls: [String] = []

    init(_ window: UIWindow) {
        self.window = window
    }

    func note(_ call: String) { calls.append(call) }

    func showTabs() {
        let tabs = UITabBarController()
        tabs.viewControllers = ["One", "Two"].map { title in
            let caller = CallerViewController(self)
            caller.tabBarItem.title = title
            return caller
        }
        window.rootViewController = tabs
    }

    func alert(then end: String) {
        let other = UIWindow(frame: UIScreen.main.bounds)
        other.rootViewController = end == "own root" ? PlainRootViewController() : UIViewController()
        other.makeKeyAndVisible()
        if end == "navigation" { return showNavigation(in: other) }
        let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default) { [weak self] _ in self?.finish(end) })
        other.rootViewController?.present(alert, animated: true)
        if end == "level" {
            other.windowLevel = .alert + 1
            window.makeKeyAndVisible()
        }
        if end == "key" { window.makeKey() }
        self.other = other
    }

    private func showNavigation(in other: UIWindow) {
        let navigation = UINavigationController(rootViewController: CallerViewController(self))
        navigation.pushViewController(CallerViewController(self), animated: false)
        other.rootViewController?.present(navigation, animated: true)
        self.other = other
    }

    func cover() {
        other = UIWindow()
        other?.rootViewController = CoverViewController(self)
        other?.makeKeyAndVisible()
    }

    func uncover() { other?.isHidden = true }

    private func finish(_ end: String) {
        note("OK")
        switch end {
        case "hide", "level", "key", "own root": other?.isHidden = true
        case "forget": break
        case "release": other = nil
        default:
            window.makeKeyAndVisible()
            other?.isHidden = true
        }
    }
}

private final class PlainRootViewController: UIViewController {}

private struct CallerScreen: Screen, Equatable {
    enum Event: Codable { case push, present, tabs, cover, alert(then: String) }

    static let name = "caller"
    static let examples: [Event] = [.push, .present, .tabs, .cover, .alert(then: "hide")]

    let calls: [String]
}

private final class CallerViewController: UIViewController, ScreenController {
    private let caller: Caller

    init(_ caller: Caller) {
        self.caller = caller
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewWillAppear(_ animated: Bool) { caller.note("viewWillAppear") }

    override func viewDidAppear(_ animated: Bool) { caller.note("viewDidAppear") }

    override func viewWillDisappear(_ animated: Bool) { caller.note("viewWillDisappear") }

    override func viewDidDisappear(_ animated: Bool) { caller.note("viewDidDisappear") }

    var content: CallerScreen { CallerScreen(calls: caller.calls) }

    func handle(_ event: CallerScreen.Event) {
        switch event {
        case .push: navigationController?.pushViewController(CallerViewController(caller), animated: true)
        case .present: present(CallerViewController(caller), animated: true)
        case .tabs: caller.showTabs()
        case .cover: caller.cover()
        case .alert(let end): caller.alert(then: end)
        }
    }
}

private final class CoverViewController: UIViewController {
    private let caller: Caller

    init(_ caller: Caller) {
        self.caller = caller
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var actionsOfScreen: [UIAction] {
        [UIAction(title: "uncover") { [weak self] _ in self?.caller.uncover() }]
    }
}
