import Testing
import UIKit
import Usher
import UsherTesting

/// An app with an application delegate and a scene delegate, like Xcode's template.
private enum SceneApp: App {
    static let screens: [any Screen.Type] = []

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: AppDelegate(), scene: SceneDelegate())
    }
}

/// An app without scenes.
private enum ClassicApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: ClassicDelegate())
    }
}

/// An app whose delegate retains no window.
private enum WindowlessApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: ForgetfulDelegate())
    }
}

private final class ForgetfulDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = PlainViewController()
        window.makeKeyAndVisible()
        return true
    }
}

private final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UserDefaults.standard.set("launched", forKey: "log")
        return true
    }

    // None of these methods is called in an app with scenes.
    func applicationDidBecomeActive(_ application: UIApplication) { note() }
    func applicationWillResignActive(_ application: UIApplication) { note() }
    func applicationDidEnterBackground(_ application: UIApplication) { note() }
    func applicationWillEnterForeground(_ application: UIApplication) { note() }

    private func note() {
        UserDefaults.standard.set("told of a life that is the scene's", forKey: "log")
    }
}

private final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        note("connected")
        window = UIWindow(windowScene: scene)
        window?.rootViewController = LogViewController()
        window?.makeKeyAndVisible()
        for context in options.urlContexts { note("by \(context.url)") }
    }

    func sceneWillEnterForeground(_ scene: UIScene) { note("foreground") }
    func sceneDidBecomeActive(_ scene: UIScene) { note("active") }
    func sceneWillResignActive(_ scene: UIScene) { note("inactive") }
    func sceneDidEnterBackground(_ scene: UIScene) { note("background") }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        note(contexts.first?.url.absoluteString ?? "")
    }

    private func note(_ text: String) {
        let log = UserDefaults.standard.string(forKey: "log") ?? ""
        UserDefaults.standard.set("\(log) \(text)", forKey: "log")
    }
}

private final class ClassicDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var launchURL: URL?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UINavigationController(rootViewController: PlainViewController())
        window?.makeKeyAndVisible()
        launchURL = options?[.url] as? URL
        return true
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        let navigation = window?.rootViewController as? UINavigationController
        // At the launch, the controller was not shown yet; it sets its name when it is shown.
        navigation?.topViewController?.loadViewIfNeeded()
        navigation?.topViewController?.title = launchURL == url ? "launched by \(url)" : "opened \(url)"
        launchURL = nil
        return true
    }
}

/// A controller that defines no screen.
private final class PlainViewController: UIViewController {
    override func viewDidLoad() {
        title = "Plain"
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            title: "Next", style: .done, target: self, action: PlainViewController.next)
        navigationItem.leftBarButtonItem = UIBarButtonItem(
            systemItem: .add, primaryAction: UIAction { [weak self] _ in self?.title = "Added" })
    }

    private func next() {
        navigationController?.pushViewController(PlainViewController(), animated: true)
    }
}

private struct LogScreen: Screen, Equatable {
    let log: String
}

private final class LogViewController: UIViewController, ScreenController {
    var content: LogScreen { LogScreen(log: UserDefaults.standard.string(forKey: "log") ?? "") }
}

@Suite
struct EntryTests {
    @Test func `at its launch, an app's delegates are called in UIKit's order`() throws {
        let app = try AppUnderTest(SceneApp.self)
        app.expectStack("n[log]")
        app.expectState(#"{"log":"launched connected foreground active"}"#)
    }

    @Test func `leaving the app and returning to it calls the scene delegate's methods`() throws {
        let app = try AppUnderTest(SceneApp.self)
        app.open(UIKitCoordinator.Flow.enteredBackground)
        app.open(UIKitCoordinator.Flow.enteredForeground)
        let log = "launched connected foreground active inactive background foreground active"
        app.expectState(#"{"log":"\#(log)"}"#)
    }

    @Test func `a link that the user opens is passed to the scene delegate`() throws {
        let app = try AppUnderTest(SceneApp.self)
        app.open(UIKitCoordinator.Flow.url("shop://orders/7"))
        app.expectState(#"{"log":"launched connected foreground active shop://orders/7"}"#)
    }

    @Test func `a link that launches an app with scenes is passed once, when the scene connects`() throws {
        let link = UIKitCoordinator.Flow.url("shop://orders/7")
        let app = try AppUnderTest(SceneApp.self, link: [link])
        app.expectState(#"{"log":"launched connected by shop://orders/7 foreground active"}"#)
        app.open(link)
        app.expectState(#"{"log":"launched connected by shop://orders/7 foreground active shop://orders/7"}"#)
    }

    @Test func `a link that launches an app without scenes is in the launch options, and later links are opened`()
        throws
    {
        let link = UIKitCoordinator.Flow.url("shop://orders/7")
        let app = try AppUnderTest(ClassicApp.self, link: [link])
        app.expectState(#"{"title":"launched by shop://orders/7","actions":["add","Next"]}"#)
        app.open(link)
        app.expectState(#"{"title":"opened shop://orders/7","actions":["add","Next"]}"#)
    }

    @Test func `a controller without its own screen shows its class, title and buttons`() throws {
        let app = try AppUnderTest(ClassicApp.self)
        app.expectStack("n[plain]")
        app.expectState(#"{"title":"Plain","actions":["add","Next"]}"#)
        app.take(.tap("add"))
        app.expectState(#"{"title":"Added","actions":["add","Next"]}"#)
        app.take(.tap("Next"))
        app.expectStack("n[plain, plain]")
    }

    @Test func `a warning appears if no delegate retains the window`() throws {
        try withKnownIssue {
            let app = try AppUnderTest(WindowlessApp.self)
            #expect(app.warnings.contains { $0.contains("the delegate's `var window`") })
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("the engine warns: ") && $0.rawValue.contains("window ") }
        }
    }
}
