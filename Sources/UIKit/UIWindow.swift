import Usher

/// A window, which the app keeps, else it is gone: the session shows the one on top.
@MainActor @preconcurrency
open class UIWindow: UIView {
    /// The height of a window above others, whichever of them came last.
    public struct Level: Hashable, Comparable, RawRepresentable, Sendable {
        /// The height.
        public let rawValue: CGFloat

        /// Makes a level.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// That of an app's windows.
        public static let normal = Level(rawValue: 0)
        /// That of the status bar.
        public static let statusBar = Level(rawValue: 1_000)
        /// That of alerts.
        public static let alert = Level(rawValue: 2_000)

        /// True where the left one is lower.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// A level above another.
        public static func + (left: Level, right: CGFloat) -> Level { Level(rawValue: left.rawValue + right) }

        /// A level below another.
        public static func - (left: Level, right: CGFloat) -> Level { Level(rawValue: left.rawValue - right) }
    }

    /// The height above other windows.
    open var windowLevel = Level.normal {
        didSet { UIKitSession.current?.setNeedsReconciling() }
    }
    /// The controller that fills it.
    open var rootViewController: UIViewController? {
        didSet {
            if oldValue?.filledWindow === self { oldValue?.filledWindow = nil }
            rootViewController?.filledWindow = self
            onlyPresents = false
            UIKitSession.current?.setNeedsReconciling()
        }
    }
    /// Set while the engine shows its root.
    final var isOnDisplay = false
    /// Set once its root has presented something, and has nothing of its own to show: what lies below stays on display.
    private final var onlyPresents = false
    /// Set once the app was warned that it takes all taps.
    private final var hasWarned = false
    /// True where it is not shown, as at first: the window below it is then.
    open override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
            onlyPresents = false
            if isHidden { UIKitSession.current?.setNeedsReconciling() } else { makeKey() }
        }
    }
    /// The scene that it is in.
    public weak var windowScene: UIWindowScene?

    /// Makes a window that is hidden.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }

    /// Makes a window in a scene.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
    }

    /// True for the window that last became key, or visible.
    public final var isKeyWindow: Bool { UIKitSession.current?.application.keyWindow === self }

    /// Shows it above the other windows of its level.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    /// Puts it above the other windows of its level.
    open func makeKey() {
        UIKitSession.current?.application.makeKey(self)
    }
}

extension UIWindow {
    /// A Boolean value indicating whether what lies below is seen through it, as through a window that an alert is presented in.
    ///
    /// Nobody draws its root, so it counts as clear if it has no content, nothing to tap and no children; one of a class of the
    /// app's only if it presents something, for it may draw.
    ///
    /// A window without a root, and one that takes no touches, never cover.
    final var isSeeThrough: Bool {
        guard let root = rootViewController, isUserInteractionEnabled else { return true }
        guard root.children.isEmpty, !(root is any ScreenController) else { return false }
        if root.presentation.presented != nil { onlyPresents = true }
        return (onlyPresents || type(of: root) == UIViewController.self) && root.tappableActions.isEmpty
    }

    /// Warns once of a window that shows nothing, and on a phone takes all taps for the windows below.
    final func warnOfTakenTaps(in session: UIKitSession) {
        guard !hasWarned, isUserInteractionEnabled, frame.isEmpty || frame.contains(UIScreen.main.bounds),
            let root = rootViewController, root.presentation.presented == nil
        else { return }
        hasWarned = true
        session.warn("a window that shows nothing lies over the others and takes all taps: hide it or release it")
    }

    /// Appends the controllers whose views can be seen: from the outermost to the innermost, from the bottom to the top.
    final func collectVisible(into visible: inout [UIViewController]) {
        guard let rootViewController else { return }
        let count = visible.count
        rootViewController.collectVisible(into: &visible)
        for layer in rootViewController.presentedChain {
            if layer.coversAll { visible.removeSubrange(count...) }
            layer.collectVisible(into: &visible)
        }
    }
}

extension UIViewController {
    /// True where what presents it is hidden by it.
    fileprivate final var coversAll: Bool {
        presentation.presenting != nil && modalPresentationStyle.hidesPresenter && !(self is UIAlertController)
    }

    fileprivate final func collectVisible(into visible: inout [UIViewController]) {
        visible.append(self)
        for child in visibleChildren { child.collectVisible(into: &visible) }
    }
}

extension UIViewController: LastingViewModel {
    /// True if the app said so when it was shown, or if it is still in a window: in a container, or below what it presents.
    package nonisolated final var isKeptOnPurpose: Bool {
        MainActor.assumeIsolated { stayedInMemory || rootOfWindow.filledWindow != nil }
    }
}

/// A scene: one instance of the app's user interface, with its windows.
@MainActor @preconcurrency
open class UIWindowScene: UIScene {
    /// The windows in it.
    public final var windows: [UIWindow] {
        UIKitSession.current?.application.windows.filter { $0.windowScene === self } ?? []
    }

    /// The window that the session shows, if it is in this scene.
    public final var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
}

/// A scene.
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// The ways in which a scene runs.
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }

    /// The object that is told of its life.
    public internal(set) var delegate: (any UISceneDelegate)?
    /// The way in which it runs.
    public internal(set) var activationState = ActivationState.unattached
    /// The session of the system that it belongs to.
    public let session: UISceneSession

    init(session: UISceneSession) {
        self.session = session
    }

    /// The reasons for which a scene connects.
    @MainActor
    public final class ConnectionOptions {
        /// The links that it is opened by.
        public let urlContexts: Set<UIOpenURLContext>

        init(urls: [URL] = []) {
            urlContexts = Set(urls.map(UIOpenURLContext.init))
        }
    }
}

/// The system's session of a scene.
@MainActor @preconcurrency
public final class UISceneSession {
    /// Its name for the system.
    public let persistentIdentifier = "main"
}

/// A link that an app is opened by.
@MainActor @preconcurrency
public final class UIOpenURLContext: UIResponder {
    /// The link.
    public let url: URL

    init(_ url: URL) {
        self.url = url
    }
}
