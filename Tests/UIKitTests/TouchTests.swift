import Testing
import UIKit
import Usher
import UsherTesting

/// An app whose window counts the user's touches, and locks the app a minute after the last one.
private enum WatchingApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { _ in
            let window = WatchingWindow(frame: .zero)
            let tabs = UITabBarController()
            tabs.viewControllers = ["First", "Second"].map { name in
                let navigation = UINavigationController(rootViewController: WatchedViewController(window))
                navigation.tabBarItem.title = name
                return navigation
            }
            window.rootViewController = tabs
            window.makeKeyAndVisible()
            return window
        }
    }
}

private final class WatchingWindow: UIWindow {
    private(set) var touches: [TimeInterval] = []
    private(set) var isLocked = false
    private var timer: Timer?

    override func sendEvent(_ event: UIEvent) {
        super.sendEvent(event)
        guard event.type == .touches, let touch = event.allTouches?.first, touch.phase == .began,
            event.touches(for: self)?.count == 1, touch.timestamp == event.timestamp
        else { return }
        touches.append(event.timestamp)
        timer?.invalidate()
        timer = Timer.scheduledTimer(withTimeInterval: 60, repeats: false) { [weak self] _ in self?.isLocked = true }
    }
}

private struct WatchedScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable { case push, alert, sheet, plain, refuse }

    let touches: Int
    let last: TimeInterval?
    let isLocked: Bool
}

private final class WatchedViewController: UIViewController, ScreenController {
    private unowned let window: WatchingWindow

    init(_ window: WatchingWindow) {
        self.window = window
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    var content: WatchedScreen {
        WatchedScreen(touches: window.touches.count, last: window.touches.last, isLocked: window.isLocked)
    }

    func handle(_ event: WatchedScreen.Event) throws {
        switch event {
        case .push: show(WatchedViewController(window), sender: nil)
        case .alert:
            let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "OK", style: .default))
            present(alert, animated: true)
        case .sheet: present(WatchedViewController(window), animated: true)
        case .plain: present(WatchedPlainViewController(), animated: true)
        case .refuse: throw Refusal("no")
        }
    }
}

private final class WatchedPlainViewController: UIViewController {
    override var actionsOfScreen: [UIAction] {
        [UIAction(title: "Close") { [weak self] _ in self?.dismiss(animated: true) }]
    }
}

@Suite("Touches of a UIKit app's window")
struct TouchTests {
    @Test func `each input that the user makes sends one event to the key window`() throws {
        let app = try AppUnderTest(WatchingApp.self)
        expect(0, in: app)
        app.send("push")
        expect(1, in: app)
        app.back()
        expect(2, in: app)
        app.send("alert")
        app.take(.tap("OK"))
        expect(4, in: app)
        app.send("sheet")
        app.back()
        expect(6, in: app)
        app.send("plain")
        app.take(.tap("Close"))
        expect(8, in: app)
        for (tab, count) in [("Second", 9), ("Second", 10), ("First", 11)] {
            app.select(tab)
            expect(count, in: app)
        }
    }

    @Test func `an input that the user has not made sends no event to the window`() throws {
        let app = try AppUnderTest(WatchingApp.self)
        app.open(UIKitCoordinator.Flow.enteredBackground)
        app.open(UIKitCoordinator.Flow.enteredForeground)
        app.open(UIKitCoordinator.Flow.url("shop://orders/7"))
        expect(0, in: app)
    }

    @Test func `a refused input does not count as a touch`() throws {
        let app = try AppUnderTest(WatchingApp.self)
        app.expectRefusal(.refused, naming: "no") { $0.send("refuse") }
        expect(0, in: app)
    }

    @Test func `an app can lock itself with an inactivity timer that each touch restarts`() throws {
        let app = try AppUnderTest(WatchingApp.self, time: Timestamp(milliseconds: 0))
        app.send("push")
        app.advance(by: .seconds(59))
        app.send("push")
        app.advance(by: .seconds(59))
        app.expectState(#"{"touches":2,"last":59,"isLocked":false}"#)
        app.advance(by: .seconds(1))
        app.expectState(#"{"touches":2,"last":59,"isLocked":true}"#)
        app.finishTest()
    }

    private func expect(
        _ count: Int, in app: AppUnderTest, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        struct State: Decodable { let touches: Int }
        let state = app.visible.flatMap { try? JSONDecoder().decode(State.self, from: Data($0.state.utf8)) }
        #expect(state?.touches == count, sourceLocation: sourceLocation)
    }
}
