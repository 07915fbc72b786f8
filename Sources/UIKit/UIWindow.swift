import Usher

/// A window: the one that is key is what the session shows; the app keeps it, else it is gone.
@MainActor @preconcurrency
open class UIWindow: UIView {
    /// The controller that fills it.
    open var rootViewController: UIViewController? {
        didSet {
            if oldValue?.filledWindow === self { oldValue?.filledWindow = nil }
            rootViewController?.filledWindow = self
            UIKitSession.current?.setNeedsReconciling()
        }
    }
    /// Set while the engine shows it.
    final var isOnDisplay = false
    /// True where it is not shown, as at first: the window that was shown before it is then.
    open override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
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

    /// True for the window that the session shows.
    public final var isKeyWindow: Bool { UIKitSession.current?.application.keyWindow === self }

    /// Makes the session show it.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    /// Makes the session show it.
    open func makeKey() {
        UIKitSession.current?.application.makeKey(self)
    }
}

extension UIWindow {
    /// The controllers whose views can be seen: from the outermost to the innermost, from the bottom to the top.
    var visibleControllers: [UIViewController] {
        guard let rootViewController else { return [] }
        var visible: [UIViewController] = []
        rootViewController.collectVisible(into: &visible)
        for layer in rootViewController.presentedChain {
            if layer.coversAll { visible.removeAll(keepingCapacity: true) }
            layer.collectVisible(into: &visible)
        }
        return visible
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
