/// The application of a session, with its windows.
@MainActor @preconcurrency
open class UIApplication: UIResponder {
    /// The states of the application.
    public enum State: Int, Sendable {
        case active, inactive, background
    }

    /// The keys of the launch options.
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        /// The name of the option.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The link that launched the app.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The activity that launched the app.
        public static let userActivityDictionary = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// The notification that launched the app.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }

    /// The keys of the options for opening a link in the app.
    public struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
        /// The name of the option.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The keys of the options for opening a link in another app.
    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        /// The name of the option.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The application of the current session; outside of a session, an application without windows.
    public static var shared: UIApplication { UIKitSession.ofGlobals?.application ?? UIApplication() }

    /// The object that is called when the application's state changes.
    open var delegate: (any UIApplicationDelegate)?
    /// The current state.
    public private(set) var applicationState = State.active
    /// The windows that were made visible, in the order in which they were shown; only the app retains the windows.
    // Exclusivity is unchecked, because no access runs code of the app.
    @safe @exclusivity(unchecked) private var shownWindows: [BackReference<UIWindow>] = []
    /// The scenes; at most one, and none for an app without scenes.
    public private(set) var connectedScenes: Set<UIScene> = []
    /// The number on the app's icon.
    open var applicationIconBadgeNumber = 0
    /// A Boolean value that indicates whether the device is prevented from sleeping.
    open var isIdleTimerDisabled = false
    /// A Boolean value that indicates whether the app has registered for push notifications.
    public private(set) var isRegisteredForRemoteNotifications = false
    /// The links that the app has opened in other apps, the oldest first.
    public private(set) var openedURLs: [URL] = []
    private var kept: AnyObject?
    /// The window that the module created for an app at its launch.
    private var keptWindow: UIWindow?
    private var key: BackReference<UIWindow>?

    /// The windows that were made visible, including hidden ones, from the bottom to the top.
    ///
    /// Of several windows on the same level, the window that was shown last is on top.
    public final var windows: [UIWindow] { windows(withHidden: true) }

    /// The window that last became the key window; if that window is hidden or released, the window on top.
    public final var keyWindow: UIWindow? {
        guard let window = key?.object, !window.isHidden else { return visibleWindows.last }
        return window
    }

    /// Returns a Boolean value that indicates whether a link has a scheme, so that another app might open it.
    open func canOpenURL(_ url: URL) -> Bool { url.scheme != nil }

    /// Records a link in `openedURLs`, instead of opening it in another app.
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler: ((Bool) -> Void)? = nil
    ) {
        let isOpened = canOpenURL(url)
        if isOpened { openedURLs.append(url) }
        UIKitSession.complete { completionHandler?(isOpened) }
    }

    /// Records that the app has registered for push notifications; the delegate gets no device token.
    open func registerForRemoteNotifications() { isRegisteredForRemoteNotifications = true }

    /// Records that the app has not registered for push notifications.
    open func unregisterForRemoteNotifications() { isRegisteredForRemoteNotifications = false }

    /// Calls a method of a target; returns `false` for a nil target, because there is no chain of responders.
    ///
    /// The event has no effect.
    @discardableResult
    open func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: AnyObject?) -> Bool {
        guard let target else { return false }
        action.perform(on: target as AnyObject, sender)
        return true
    }

    /// The link to the app's section of the system's settings.
    public nonisolated static let openSettingsURLString = "app-settings:"
    /// The link to the app's notifications in the system's settings.
    public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"
    /// Posted when the app has become active.
    public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActive")
    /// Posted when the app is about to be interrupted.
    public nonisolated static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActive")
    /// Posted when the app is in the background.
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackground")
    /// Posted when the app is about to come to the front.
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForeground")
}

extension UIApplication {
    final func makeKey(_ window: UIWindow) { key = window.backReference }

    /// A Boolean value that indicates whether the key window may override `sendEvent(_:)`.
    final var watchesTouches: Bool { key?.read { type(of: $0) != UIWindow.self } == true }

    final func sendTouch(in session: UIKitSession) {
        guard watchesTouches, let window = keyWindow else { return }
        window.sendEvent(UIEvent(in: window, at: session.now.timeIntervalSince1970))
    }

    final func bringToFront(_ window: UIWindow) {
        let reference = window.backReference
        shownWindows.removeAll { $0 === reference }
        shownWindows.append(reference)
        UIKitSession.current?.setNeedsReconciling()
    }

    private var visibleWindows: [UIWindow] { windows(withHidden: false) }

    private func windows(withHidden takesHidden: Bool) -> [UIWindow] {
        var ordered: [UIWindow] = []
        for shown in shownWindows.indices {
            guard let window = shownWindows[shown].object, takesHidden || !window.isHidden else { continue }
            ordered.append(window)
            var place = ordered.count - 1
            while place > 0, ordered[place - 1].windowLevel > ordered[place].windowLevel {
                ordered.swapAt(place - 1, place)
                place -= 1
            }
        }
        return ordered
    }

    /// The windows that the session shows: the topmost window whose root covers all below it, and the windows above.
    final var windowsOnDisplay: ArraySlice<UIWindow> {
        let windows = visibleWindows
        return windows[Self.lowestOnDisplay(of: windows)...]
    }

    private static func lowestOnDisplay(of windows: [UIWindow]) -> Int {
        var lowest = max(windows.count - 1, 0)
        while lowest > 0, windows[lowest].isSeeThrough { lowest -= 1 }
        return lowest
    }

    /// The topmost controller: the last presented controller, or else the root of the lowest window on display.
    final var topmost: UIViewController? {
        let windows = windowsOnDisplay
        for window in windows.reversed() {
            if let presented = window.rootViewController?.presentedChain.last { return presented }
        }
        return windows.first?.rootViewController
    }

    /// Determines what the windows show now, and collects the controllers whose views are visible.
    final func display(collecting visible: ShownControllers) -> DisplayedControllers {
        // Almost every app has one window, which needs no list.
        if shownWindows.count == 1, let window = shownWindows[0].object, !window.isHidden {
            return DisplayedControllers(only: consume window, collecting: visible)
        }
        let windows = visibleWindows
        return DisplayedControllers(windows, from: Self.lowestOnDisplay(of: windows), collecting: visible)
    }

    final func warnOfTakenTaps(in session: UIKitSession) {
        guard shownWindows.count > 1 else { return }
        for window in windowsOnDisplay.dropFirst() { window.warnOfTakenTaps(in: session) }
    }

    final var hasReleasedWindow: Bool {
        for place in shownWindows.indices where shownWindows[place].isDangling { return true }
        return false
    }

    /// Forgets the windows that the app has released; warns if none is left, because a phone's screen would stay black.
    final func forgetReleasedWindows() {
        guard hasReleasedWindow else { return }
        shownWindows.removeAll { $0.isDangling }
        guard keyWindow == nil else { return }
        UIKitSession.current?.warn(
            "the app's only window was released: keep a reference to it, such as in the delegate's `var window`")
    }

    /// Retains a window and an object until the session ends.
    final func keep(_ window: UIWindow, _ object: AnyObject?) {
        (keptWindow, kept) = (window, object)
    }

    /// The objects through which the app retains its other objects: the result of the launch, and the delegates.
    final var keepers: [AnyObject] {
        let delegates: [AnyObject?] = [kept, delegate] + connectedScenes.map(\.delegate)
        return delegates.compactMap(\.self)
    }

    /// Releases the windows at the session's end, and unlinks presented controllers, which completions may retain.
    ///
    /// On a phone, such a completion would run eventually.
    final func takeApart() {
        for window in windows {
            window.rootViewController?.unlinkAllPresented()
            window.rootViewController = nil
        }
        shownWindows = []
        _ = (take(&keptWindow, leaving: nil), take(&kept, leaving: nil))
    }

    /// Releases the delegates at the end of the session, the application's delegate last.
    final func forgetDelegates() {
        for scene in connectedScenes { _ = take(&scene.delegate, leaving: nil) }
        _ = take(&connectedScenes, leaving: [])
        delegate?.window = nil
        _ = take(&delegate, leaving: nil)
    }

    /// Launches the app: calls the application's delegate, and then the scene's delegate.
    final func launch(
        _ delegate: any UIApplicationDelegate, scene: (any UIWindowSceneDelegate)?, by cause: LaunchCause?
    ) {
        self.delegate = delegate
        let options = scene == nil ? cause?.launchOptions : nil
        // UIKit calls the delegate to open the link only if both methods return true.
        let opens = delegate.application(self, willFinishLaunchingWithOptions: options)
        let goesOn = delegate.application(self, didFinishLaunchingWithOptions: options)
        if let scene { connect(scene, by: cause) }
        switch cause {
        case .notification(let response): UNUserNotificationCenter.current().receive(response)
        case .url, .activity: if scene == nil, opens, goesOn, let cause { receive(cause) }
        case nil: break
        }
        becomeActive()
    }

    final func receive(_ cause: LaunchCause) {
        let scene = connectedScenes.first
        switch cause {
        case .url(let url):
            guard let scene else { return _ = delegate?.application(self, open: url, options: [:]) }
            scene.delegate?.scene(scene, openURLContexts: [UIOpenURLContext(url)])
        case .activity(let activity):
            guard let scene else {
                return _ = delegate?.application(self, continue: activity, restorationHandler: { _ in })
            }
            scene.delegate?.scene(scene, continue: activity)
        case .notification(let response): UNUserNotificationCenter.current().receive(response)
        }
    }

    final func enterBackground() {
        guard applicationState != .background else { return }
        forEachScene(.foregroundInactive) { $1.sceneWillResignActive($0) }
        delegateWithoutScenes?.applicationWillResignActive(self)
        post(Self.willResignActiveNotification)
        applicationState = .background
        forEachScene(.background) { $1.sceneDidEnterBackground($0) }
        delegateWithoutScenes?.applicationDidEnterBackground(self)
        post(Self.didEnterBackgroundNotification)
    }

    final func enterForeground() {
        guard applicationState == .background else { return }
        forEachScene(.foregroundInactive) { $1.sceneWillEnterForeground($0) }
        delegateWithoutScenes?.applicationWillEnterForeground(self)
        post(Self.willEnterForegroundNotification)
        becomeActive()
    }

    private func connect(_ delegate: any UIWindowSceneDelegate, by cause: LaunchCause?) {
        let scene = UIWindowScene(session: UISceneSession())
        scene.delegate = delegate
        connectedScenes = [scene]
        let options = UIScene.ConnectionOptions(cause)
        delegate.scene(scene, willConnectTo: scene.session, options: options)
        scene.activationState = .foregroundInactive
        delegate.sceneWillEnterForeground(scene)
    }

    private func becomeActive() {
        applicationState = .active
        forEachScene(.foregroundActive) { $1.sceneDidBecomeActive($0) }
        delegateWithoutScenes?.applicationDidBecomeActive(self)
        post(Self.didBecomeActiveNotification)
    }

    /// The application's delegate; nil if there is a scene, whose delegate is called instead.
    private var delegateWithoutScenes: (any UIApplicationDelegate)? { connectedScenes.isEmpty ? delegate : nil }

    private func forEachScene(_ state: UIScene.ActivationState, _ tell: (UIScene, any UISceneDelegate) -> Void) {
        for scene in connectedScenes {
            scene.activationState = state
            if let delegate = scene.delegate { tell(scene, delegate) }
        }
    }

    private func post(_ name: Notification.Name) {
        UIKitSession.ofGlobals?.notificationCenter.post(name: name, object: self)
    }
}
