import Testing
import UIKit
import Usher
import UsherTesting

/// An app with a second window over its first.
private enum OverlayApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let windows = TwoWindows()
            window.rootViewController = MainViewController(windows)
            return windows
        }
    }
}

/// The object that keeps the second window.
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

    /// Shows it without making it key.
    func uncover() {
        let window = UIWindow()
        window.rootViewController = OverlayViewController(self)
        window.isHidden = false
        overlay = window
    }

    func setHidden(_ isHidden: Bool) { overlay?.isHidden = isHidden }

    func release() { overlay = nil }

    /// Holds the overlay's controller for ever.
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
    @Test func `a window that is hidden leaves the one below it on display, and can be shown again`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("open"))
        app.expectStack("n[overlay]")
        app.take(.tap("hide"))
        app.expectStack("n[main]")
        app.take(.tap("show"))
        app.expectStack("n[overlay]")
    }

    @Test func `a window that is no longer hidden is shown above those that were`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("uncover"))
        app.expectStack("n[overlay]")
        app.take(.tap("hide"))
        app.take(.tap("show"))
        app.expectStack("n[overlay]")
    }

    @Test func `a hidden window takes along what it presents`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("open"))
        app.take(.tap("present"))
        app.expectStack("n[overlay] ⊕ sheet[sheet]")
        app.back()
        app.take(.tap("hide"))
        app.take(.tap("present"))
        app.expectStack("n[main] ⊕ sheet[sheet]")
    }

    @Test func `without a window there is nothing to see`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("hide all"))
        app.expectStack("n[emptyWindow]")
    }

    @Test func `a window that nobody keeps any longer is gone`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        app.take(.tap("open"))
        app.take(.tap("release"))
        app.expectStack("n[main]")
        app.take(.tap("forget"))
        app.expectStack("n[main]")
    }

    @Test func `a controller of a hidden window is a leak once the window has gone without it`() throws {
        let app = try AppUnderTest(OverlayApp.self)
        for title in ["open", "retain", "hide"] { app.take(.tap(title)) }
        app.expectLeak("OverlayViewController") { $0.take(.tap("release")) }
    }

    @Test func `a coordinator whose window is hidden, or under another, is no zombie`() throws {
        let app = try AppUnderTest(LockedApp.self)
        app.take(.tap("lock"))
        app.expectStack("n[lock]")
        app.take(.tap("unlock"))
        app.expectStack("n[home]")
    }
}

/// An app whose coordinators have a window each.
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
