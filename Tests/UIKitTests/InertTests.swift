import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of declarations that apps override and call, but that have no visible effect.
@Suite
struct InertTests {
    @Test func `an app may override methods that matter only on a phone`() throws {
        let app = try AppUnderTest(InertApp.self)
        app.expectStack("n[inert]")
        app.send("tap", ["action": "Copy"])
        app.expectState(#"{"title":"copied","actions":["Copy","Paste"]}"#)
        app.finishTest()
    }

    @Test func `a view has the window of its controller while the controller is visible`() throws {
        let app = try AppUnderTest(WindowedApp.self)
        for (action, title) in [("Window", "first true"), ("Push", "first false"), ("Window", "second true")] {
            app.send("tap", ["action": action])
            app.expectState(#"{"title":"\#(title)","actions":["Window","Push"]}"#)
        }
    }

    @Test func `an object knows its class and its superclasses`() {
        let (kinds, members) = MainActor.assumeIsolated {
            let controller: UIViewController = WindowedViewController("no")
            let classes = [UIViewController.self, WindowedViewController.self, UINavigationController.self]
            return (classes.map { controller.isKind(of: $0) }, classes.map { controller.isMember(of: $0) })
        }
        #expect(kinds == [true, true, false])
        #expect(members == [false, true, false])
    }

    @Test func `a weak hash table does not retain its objects, and has them in order`() {
        let table = NSHashTable<NSObject>.weakObjects()
        let first = NSObject()
        do {
            let second = NSObject()
            for object in [second, first, second] { table.add(object) }
            #expect(table.allObjects == [second, first] && table.contains(second))
        }
        #expect(table.allObjects == [first] && table.count == 1 && table.anyObject === first)
        table.remove(first)
        #expect(table.allObjects.isEmpty)
    }

    @MainActor @Test func `a controller's tab bar item is never nil, and setting it to nil creates a new item`() {
        let (root, navigation) = (UIViewController(), UINavigationController())
        navigation.viewControllers = [root]
        let item = navigation.tabBarItem
        item?.badgeValue = "1"
        #expect(root.tabBarItem === item && root.tabBarItem.badgeValue == "1")
        navigation.tabBarItem = UITabBarItem(title: "Own", image: nil, tag: 1)
        navigation.tabBarItem = nil
        #expect(navigation.tabBarItem === item)
        root.tabBarItem = nil
        let next: UITabBarItem? = root.tabBarItem
        #expect(next != nil && next !== item && next === root.tabBarItem)
    }

    @MainActor @Test func `an app may register for push notifications, but gets no device token`() {
        let application = UIApplication.shared
        application.registerForRemoteNotifications()
        #expect(application.isRegisteredForRemoteNotifications)
        application.unregisterForRemoteNotifications()
        #expect(!application.isRegisteredForRemoteNotifications)
    }

    @MainActor @Test func `each session has its own appearance proxies for bars`() {
        UIKitSession.withGlobals {
            UINavigationBar.appearance().tintColor = .red
            UIPageControl.appearance().numberOfPages = 2
            #expect(UINavigationBar.appearance().tintColor == .red && UIPageControl.appearance().numberOfPages == 2)
            #expect(UITabBar.appearance() === UITabBar.appearance() && UIToolbar.appearance().tintColor == nil)
            UIKitSession.withGlobals { #expect(UINavigationBar.appearance().tintColor == nil) }
        }
    }

    @Test func `outside a session, a run loop runs the process's run loop`() {
        var count = 0
        for run in [
            { _ = RunLoop.current.run(mode: .default, before: $0) }, { RunLoop.current.run(until: $0) },
        ] as [(Date) -> Void] {
            // The loop ends once its only timer has fired.
            let timer = Foundation.Timer(timeInterval: 0, repeats: false) { _ in }
            Foundation.RunLoop.current.add(timer, forMode: .default)
            run(Date(timeIntervalSinceNow: 60))
            if !timer.isValid { count += 1 }
        }
        #expect(count == 2)
    }

    @Test func `in a session, a run loop does not wait, and a warning appears`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        for action in ["Once", "Until"] {
            app.expectWarning("RunLoop.run has no effect: the session's thread would wait for itself") {
                $0.send("tap", ["action": action])
            }
        }
        #expect(app.visible?.state.contains("ran") == false)
    }

    @Test func `a text that one user has copied is not visible to another user`() throws {
        let (first, second) = (try AppUnderTest(InertApp.self), try AppUnderTest(InertApp.self))
        first.send("tap", ["action": "Copy"])
        for (app, text) in [(first, "copied"), (second, "nothing")] {
            app.send("tap", ["action": "Paste"])
            app.expectState(#"{"title":"\#(text)","actions":["Copy","Paste"]}"#)
        }
    }
}

private enum WindowedApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = UINavigationController(rootViewController: WindowedViewController("first"))
            return nil
        }
    }
}

/// A controller that presents with an overridden property, and says whether its view is in a window.
private final class WindowedViewController: UIViewController {
    private let name: String

    init(_ name: String) {
        self.name = name
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var presentedViewController: UIViewController? { super.presentedViewController }

    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "Window") { [weak self] _ in self?.showWindow() },
            UIAction(title: "Push") { [weak self] _ in self?.push() },
        ]
    }

    private func showWindow() {
        let label = UIView()
        view.addSubview(label)
        title = "\(name) \(label.window === UIApplication.shared.windows.first)"
    }

    private func push() {
        let next = WindowedViewController("second")
        next.title = "\(name) \(next.view.window != nil)"
        navigationController?.pushViewController(next, animated: true)
    }
}

private enum WaitingApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = WaitingViewController()
            return nil
        }
    }
}

/// A controller that waits, as a unit test does.
private final class WaitingViewController: UIViewController {
    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "Once") { [weak self] _ in
                if RunLoop.current.run(mode: .default, before: .distantFuture) { self?.title = "ran" }
            },
            UIAction(title: "Until") { _ in RunLoop.main.run(until: .distantFuture) },
        ]
    }
}

private enum InertApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = InertViewController()
            return nil
        }
    }
}

private final class InertViewController: UIViewController {
    override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
    override var prefersStatusBarHidden: Bool { true }
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { [.portrait, .landscape] }
    override var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .landscapeLeft }
    override var shouldAutorotate: Bool { false }

    override func viewWillLayoutSubviews() { title = "laid out" }
    override func viewDidLayoutSubviews() { title = "laid out" }
    override func viewSafeAreaInsetsDidChange() { title = "inset" }

    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "Copy") { [weak self] _ in self?.copyText() },
            UIAction(title: "Paste") { [weak self] _ in self?.title = UIPasteboard.general.string ?? "nothing" },
        ]
    }

    private func copyText() {
        UIPasteboard.general.string = "copied"
        title = UIPasteboard.general.hasStrings ? "copied" : "nothing"
        setNeedsStatusBarAppearanceUpdate()
        navigationItem.backButtonDisplayMode = .minimal
        let field = UITextField()
        (field.clearButtonMode, field.returnKeyType, field.textContentType) = (.whileEditing, .done, .oneTimeCode)
        (field.autocapitalizationType, field.autocorrectionType) = (.none, .no)
        UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet).popoverPresentationController?
            .sourceRect = view.bounds
        UIImpactFeedbackGenerator(style: .light).impactOccurred()
        UINotificationFeedbackGenerator().notificationOccurred(.success)
        UISelectionFeedbackGenerator().selectionChanged()
        UIAccessibility.post(notification: .announcement, argument: "copied")
        if UIAccessibility.isVoiceOverRunning { title = "read" }
    }
}
