/// The delegate of an application: the entry of an app without scenes.
@MainActor @preconcurrency
public protocol UIApplicationDelegate: AnyObject {
    /// The window of an app without scenes.
    var window: UIWindow? { get set }

    /// Is told that the launch begins.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Is told that the app was launched: here it makes its window.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Is told of a link that the app is to open.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// Is told of a universal link that the app is to open.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool

    /// Is told that the app is at the front.
    func applicationDidBecomeActive(_ application: UIApplication)

    /// Is told that the app is about to be interrupted.
    func applicationWillResignActive(_ application: UIApplication)

    /// Is told that the app is in the background.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// Is told that the app is about to come to the front.
    func applicationWillEnterForeground(_ application: UIApplication)
}

extension UIApplicationDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Goes on.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Goes on.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Takes none.
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { false }

    /// Takes none.
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}
}

/// The delegate of a scene.
@MainActor @preconcurrency
public protocol UISceneDelegate: AnyObject {
    /// Is told that the scene was made: here it makes its window.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)

    /// Is told of links that the app is to open.
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)

    /// Is told of a universal link that the app is to open.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)

    /// Is told that the scene is at the front.
    func sceneDidBecomeActive(_ scene: UIScene)

    /// Is told that the scene is about to be interrupted.
    func sceneWillResignActive(_ scene: UIScene)

    /// Is told that the scene is about to come to the front.
    func sceneWillEnterForeground(_ scene: UIScene)

    /// Is told that the scene is in the background.
    func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}

    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {}

    /// Does nothing.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}

    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// The delegate of a scene with windows: the entry of an app with scenes.
@MainActor @preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The window of the scene.
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
