import Usher
package import UsherReflection

/// A window of the app; the session shows the window on top.
///
/// The app must retain its windows. A window that the app releases is no longer shown.
@MainActor @preconcurrency
open class UIWindow: UIView {
    /// The position of windows on the z-axis: a window on a higher level is on top, whichever window was shown last.
    public struct Level: Hashable, Comparable, RawRepresentable, Sendable {
        /// The position on the z-axis.
        public let rawValue: CGFloat

        /// Creates a level.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// The level of an app's windows.
        public static let normal = Level(rawValue: 0)
        /// The level of the status bar.
        public static let statusBar = Level(rawValue: 1_000)
        /// The level of alerts.
        public static let alert = Level(rawValue: 2_000)

        /// Returns a Boolean value indicating whether the left level is lower.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// Returns a level above another.
        public static func + (left: Level, right: CGFloat) -> Level { Level(rawValue: left.rawValue + right) }

        /// Returns a level below another.
        public static func - (left: Level, right: CGFloat) -> Level { Level(rawValue: left.rawValue - right) }
    }

    /// The window's position on the z-axis.
    open var windowLevel = Level.normal {
        didSet { UIKitSession.current?.setNeedsReconciling() }
    }
    /// The root controller, which fills the window.
    // Exclusivity is unchecked, because no access runs code of the app.
    @safe @exclusivity(unchecked) open var rootViewController: UIViewController? {
        didSet {
            if oldValue?.filledWindow === self { oldValue?.filledWindow = nil }
            rootViewController?.filledWindow = self
            UIKitSession.current?.setNeedsReconciling()
        }
    }
    /// A Boolean value that indicates whether the engine shows the window's root.
    @safe @exclusivity(unchecked) final var isOnDisplay = false
    @safe @exclusivity(unchecked) private final var ownReference: BackReference<UIWindow>?
    private final var hasWarned = false
    /// A Boolean value that indicates whether the window is hidden; a new window is hidden.
    ///
    /// If this window is hidden, the session shows the window below.
    open override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
            if isHidden { UIKitSession.current?.setNeedsReconciling() } else { bringToFront() }
        }
    }
    /// The window's scene.
    public weak var windowScene: UIWindowScene?

    /// Creates a hidden window.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }

    /// Creates a hidden window in a scene.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
    }

    deinit { ownReference?.clear() }

    /// The back reference to this window, which the root and the application store.
    final var backReference: BackReference<UIWindow> {
        if let ownReference { return ownReference }
        let reference = BackReference(self)
        ownReference = reference
        return reference
    }

    /// A Boolean value that indicates whether this is the application's key window.
    public final var isKeyWindow: Bool { UIKitSession.ofGlobals?.application.keyWindow === self }

    /// Shows the window above all other windows of its level, and makes the window the key window.
    open func makeKeyAndVisible() {
        isHidden = false
        bringToFront()
        makeKey()
    }

    /// Makes the window the key window, without changing what is shown.
    open func makeKey() {
        UIKitSession.ofGlobals?.application.makeKey(self)
    }

    /// Called on the key window before the session handles an input of the user.
    ///
    /// This implementation does nothing: the session handles the input even if an override does not call `super`.
    open func sendEvent(_ event: UIEvent) {}

    private func bringToFront() {
        UIKitSession.ofGlobals?.application.bringToFront(self)
    }
}

extension UIWindow {
    /// A Boolean value that indicates whether the windows below stay on display, as below a window with only an alert.
    ///
    /// The windows below stay if the root has no content, no children and nothing to tap. A root of the app's own class
    /// must also present something, because the module cannot know whether the root draws.
    final var isSeeThrough: Bool {
        guard let root = rootViewController, isUserInteractionEnabled else { return true }
        guard root.children.isEmpty, !(root is any ScreenController), root.tappableActions.isEmpty else { return false }
        return type(of: root) == UIViewController.self || root.presentation.presented != nil
    }

    /// Warns once if the window shows nothing, but would on a phone take all taps that are meant for the windows below.
    final func warnOfTakenTaps(in session: UIKitSession) {
        guard !hasWarned, isUserInteractionEnabled, frame.isEmpty || frame.contains(UIScreen.main.bounds),
            let root = rootViewController, root.presentation.presented == nil
        else { return }
        hasWarned = true
        session.warn("an empty window covers the other windows and receives all taps: hide or release the empty window")
    }

}

/// What the windows of an application show at one moment.
@MainActor
struct DisplayedControllers {
    /// The lowest window on display.
    private(set) var window: UIWindow?
    private(set) var root: UIViewController?
    /// The controllers that the windows on display present, from the bottom to the top.
    private(set) var presented: [UIViewController] = []
    /// A Boolean value that indicates whether visibility depends on styles and contents, whose changes go unnoticed.
    var dependsOnContents: Bool { !presented.isEmpty || hasSeveralWindows }

    private let hasSeveralWindows: Bool

    /// Determines what the unhidden windows, bottom to top, show; `lowest` is the index of the lowest on display.
    ///
    /// Collects the controllers of all windows, because no window removes the views of another window.
    init(_ windows: [UIWindow], from lowest: Int, collecting visible: ShownControllers) {
        hasSeveralWindows = windows.count > 1
        window = windows.indices.contains(lowest) ? windows[lowest] : nil
        root = window?.rootViewController
        visible.beginCollecting()
        var index = 0
        windows.each { window in
            if let root = window.rootViewController { add(root, to: visible, isOnDisplay: index >= lowest) }
            index += 1
        }
    }

    /// Determines what a window shows if all others are hidden.
    init(only window: consuming UIWindow, collecting visible: ShownControllers) {
        hasSeveralWindows = false
        let root = window.rootViewController
        self.window = consume window
        visible.beginCollecting()
        if let root { add(root, to: visible, isOnDisplay: true) }
        self.root = consume root
    }

    private mutating func add(_ root: UIViewController, to visible: ShownControllers, isOnDisplay: Bool) {
        let bottom = visible.count
        var start = bottom
        root.collectVisible(into: visible)
        while let layer = Self.presented(by: visible, from: start) {
            if layer.coversAll { visible.removeAll(from: bottom) }
            start = visible.count
            layer.collectVisible(into: visible)
            if isOnDisplay { presented.append(layer) }
        }
    }

    /// Returns the controller that is presented by the first presenter among the visible controllers from an index on.
    ///
    /// - Returns: nil if there is no presenter, or if the presented controller is being dismissed.
    private static func presented(by visible: ShownControllers, from start: Int) -> UIViewController? {
        for place in start..<visible.count {
            if let layer = visible[place].presentation.presented { return layer.move.isDismissal ? nil : layer }
        }
        return nil
    }
}

extension UIViewController {
    fileprivate final var coversAll: Bool {
        presentation.presenting != nil && modalPresentationStyle.hidesPresenter && !(self is UIAlertController)
    }

    fileprivate final func collectVisible(into visible: ShownControllers) {
        visible.append(self)
        eachChild(in: visiblePlaces) { $0.collectVisible(into: visible) }
    }
}

extension UIViewController: LastingViewModel {
    /// A Boolean value that indicates whether the controller stays in memory on purpose, or is still in a window.
    package nonisolated final var isKeptOnPurpose: Bool {
        MainActor.assumeIsolated { stayedInMemory || containingWindow != nil }
    }

    /// The controller's life, with which the engine checks for leaks.
    package nonisolated final var life: ObjectLife {
        if let ownLife = ownLife { return ownLife }
        let life = ObjectLife(of: self)
        ownLife = life
        return life
    }
}

/// A scene with windows: an instance of the app's user interface.
@MainActor @preconcurrency
open class UIWindowScene: UIScene {
    /// The scene's windows.
    public final var windows: [UIWindow] {
        UIKitSession.ofGlobals?.application.windows.filter { $0.windowScene === self } ?? []
    }

    /// The application's key window, if it is in this scene.
    public final var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
}

/// A scene.
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// The states of a scene.
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }

    /// The object that is called when the scene's state changes.
    public internal(set) var delegate: (any UISceneDelegate)?
    /// The current state.
    public internal(set) var activationState = ActivationState.unattached
    /// The system's session for the scene.
    public let session: UISceneSession

    init(session: UISceneSession) {
        self.session = session
    }

    /// The reasons for which a scene connects.
    @MainActor
    public final class ConnectionOptions {
        /// The links that open the scene.
        public private(set) var urlContexts: Set<UIOpenURLContext> = []
        /// The universal links that open the scene.
        public private(set) var userActivities: Set<NSUserActivity> = []
        /// The notification that opens the scene.
        public private(set) var notificationResponse: UNNotificationResponse?

        init(_ cause: LaunchCause?) {
            switch cause {
            case .url(let url): urlContexts = [UIOpenURLContext(url)]
            case .activity(let activity): userActivities = [activity]
            case .notification(let response): notificationResponse = response
            case nil: break
            }
        }
    }
}

/// The system's session for a scene.
@MainActor @preconcurrency
public final class UISceneSession: UIResponder {
    /// The name by which the system identifies the session.
    public let persistentIdentifier = "main"
}

/// A link that opens the app.
@MainActor @preconcurrency
public final class UIOpenURLContext: UIResponder {
    /// The link.
    public let url: URL

    init(_ url: URL) {
        self.url = url
    }
}
