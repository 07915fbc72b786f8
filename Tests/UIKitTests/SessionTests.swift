import Synchronization
import Testing
import UIKit
import Usher
import UsherTesting

/// An app with one controller, which uses globals of a phone.
private enum GlobalsApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        var settings = UIKitSettings()
        settings.region.locale = Locale(identifier: "de_DE")
        settings.deviceName = "Kim's phone"
        return UIKitCoordinator(settings: settings) { window in
            window.rootViewController = GlobalsViewController()
            return nil
        }
    }
}

private struct GlobalsScreen: Screen, Equatable {
    enum Event: Codable { case count, post, open, later }

    static let examples: [Event] = [.count, .post, .open, .later]

    let count: Int
    let heard: [String]
    let opened: [String]
    let locale: String
    let timeZone: String
    let device: String
}

extension Notification.Name {
    fileprivate static let something = Notification.Name("something")
}

private final class GlobalsViewController: UIViewController, ScreenController {
    private var heard: [String] = []

    override func viewDidLoad() {
        NotificationCenter.default.addObserver(
            self, selector: GlobalsViewController.hear, name: .something, object: nil)
    }

    private func hear(_ notification: Notification) {
        heard.append(notification.userInfo?["text"] as? String ?? "")
    }

    var content: GlobalsScreen {
        GlobalsScreen(
            count: UserDefaults.standard.integer(forKey: "count"), heard: heard,
            opened: UIApplication.shared.openedURLs.map(\.absoluteString), locale: Locale.current.identifier,
            timeZone: TimeZone.current.identifier, device: UIDevice.current.name)
    }

    func handle(_ event: GlobalsScreen.Event) {
        switch event {
        case .count:
            UserDefaults.standard.set(UserDefaults.standard.integer(forKey: "count") + 1, forKey: "count")
        case .post: NotificationCenter.default.post(name: .something, object: self, userInfo: ["text": "hello"])
        case .open:
            guard let url = URL(string: "https://example.org") else { return }
            UIApplication.shared.open(url) { [weak self] isOpened in self?.heard.append("opened \(isOpened)") }
        case .later: UIKitSession.current?.enqueue { [weak self] in self?.heard.append("later") }
        }
    }
}

@Suite
struct SessionTests {
    @Test func `each session has its own globals, such as UserDefaults and NotificationCenter`() throws {
        let first = try AppUnderTest(GlobalsApp.self)
        let second = try AppUnderTest(GlobalsApp.self)
        first.send("count")
        first.send("post")
        let rest = #""opened":[],"locale":"de_DE","timeZone":"GMT","device":"Kim's phone"}"#
        first.expectState(#"{"count":1,"heard":["hello"],"# + rest)
        second.expectState(#"{"count":0,"heard":[],"# + rest)
    }

    @Test func `if the app opens a link in another app, the link is recorded, and the completion runs`() throws {
        let app = try AppUnderTest(GlobalsApp.self)
        app.send("open")
        app.send("later")
        #expect(app.visible?.state.hasPrefix(#"{"count":0,"heard":["opened true","later"],"opened":["https:"#) == true)
    }

    @Test func `outside a session, UserDefaults stores nothing`() {
        UserDefaults.standard.set(1, forKey: "count")
        #expect(UserDefaults.standard.object(forKey: "count") == nil)
    }
}

/// An app whose library has a singleton.
///
/// Here each session has its own instance.
private enum SingletonApp: App {
    static let ends = Mutex(0)

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = CountingViewController()
            return nil
        }
    }
}

private final class Container {
    private(set) var count = 0
    static var shared: Container { UIKitSession.current?.value(Container.self) { Container() } ?? Container() }

    func add() { count += 1 }

    deinit { SingletonApp.ends.withLock { $0 += 1 } }
}

private struct CountingScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable { case add }

    let count: Int
}

private final class CountingViewController: UIViewController, ScreenController {
    var content: CountingScreen { CountingScreen(count: Container.shared.count) }

    func handle(_ event: CountingScreen.Event) {
        Container.shared.add()
    }
}

@Suite
struct SessionValueTests {
    @Test func `each session has its own instance of a singleton, which is released with the session`() throws {
        do {
            let (first, second) = (try AppUnderTest(SingletonApp.self), try AppUnderTest(SingletonApp.self))
            first.send("add")
            first.send("add")
            second.send("add")
            first.expectVisible(CountingScreen(count: 2))
            second.expectVisible(CountingScreen(count: 1))
        }
        // The containers of two sessions, and of their replays.
        #expect(SingletonApp.ends.withLock(\.self) == 4)
    }
}
