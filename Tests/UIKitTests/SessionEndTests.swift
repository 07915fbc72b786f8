import Synchronization
import Testing
import UIKit
import Usher
import UsherTesting

/// What is released at a session's end finds the session, as on a phone, where nothing of an app outlives the application.
@Suite
struct SessionEndTests {
    @Test(arguments: KeepingPlace.allCases)
    fileprivate func `an object is released in its session, whatever keeps it`(_ place: KeepingPlace) throws {
        let before = Released.all.withLock { $0[place, default: []].count }
        do {
            let app = try AppUnderTest(KeepingApp.self, options: .init(place: place))
            if place == .refusedTap { app.expectRefusal(.refused) { $0.send("tap", ["action": "Refuse"]) } }
            if place == .firedTimer { app.advance(by: .seconds(120)) }
        }
        let released = Released.all.withLock { $0[place, default: []] }
        // The session itself, and its replay.
        #expect(released.count >= before + 2)
        #expect(released.allSatisfy { $0.name == "kim" && $0.hasScene })
        // The delegate is the last to go, so what it keeps finds none.
        #expect(released.allSatisfy { $0.hasDelegate } || place == .delegate)
    }

    @Test func `what launches the app, and work that begins at the end, are released in the session`() throws {
        do { _ = try AppUnderTest(LaunchedApp.self) }
        // Of the session itself, and of its replay.
        #expect(LaunchedApp.ends.withLock(\.self) == Array(repeating: "kim", count: 4))
    }
}

private enum LaunchedApp: App {
    /// The names that objects have found in the defaults at their ends.
    static let ends = Mutex<[String?]>([])

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        let first = LaunchedCoordinator()
        return UIKitCoordinator { window in
            UserDefaults.standard.set("kim", forKey: "name")
            window.rootViewController = KeepingController()
            return first
        }
    }
}

private final class LaunchedCoordinator {
    private final class Work {
        func run() {}

        deinit { LaunchedCoordinator.noteEnd() }
    }

    static func noteEnd() {
        let name = MainActor.assumeIsolated { UserDefaults.standard.string(forKey: "name") }
        LaunchedApp.ends.withLock { $0.append(name) }
    }

    deinit {
        Self.noteEnd()
        DispatchQueue.main.async { [work = Work()] in work.run() }
    }
}

private enum KeepingPlace: String, Codable, CaseIterable {
    case delegate, scene, controller, presented, action, observer, timer, firedTimer, task, refusedTap
}

/// What objects have found at their ends.
private struct Released {
    static let all = Mutex<[KeepingPlace: [Released]]>([:])

    let name: String?
    let hasScene: Bool
    let hasDelegate: Bool
}

private final class Keepsake {
    private let place: KeepingPlace

    init(_ place: KeepingPlace) {
        self.place = place
    }

    func use() {}

    deinit {
        let released = MainActor.assumeIsolated {
            Released(
                name: UserDefaults.standard.string(forKey: "name"),
                hasScene: !UIApplication.shared.connectedScenes.isEmpty || UIApplication.shared.delegate == nil,
                hasDelegate: UIApplication.shared.delegate != nil)
        }
        Released.all.withLock { $0[place, default: []].append(released) }
    }
}

private enum KeepingApp: App {
    struct Options: Codable, Sendable {
        var place = KeepingPlace.delegate
    }

    static let options = Options()

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: KeepingDelegate(options.place), scene: KeepingSceneDelegate(options.place))
    }
}

private final class KeepingDelegate: UIResponder, UIApplicationDelegate {
    private let keepsake: Keepsake?

    init(_ place: KeepingPlace) {
        keepsake = place == .delegate ? Keepsake(place) : nil
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UserDefaults.standard.set("kim", forKey: "name")
        return true
    }
}

private final class KeepingSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let place: KeepingPlace
    private var keepsake: Keepsake?

    init(_ place: KeepingPlace) {
        self.place = place
    }

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        let (controller, kept) = (KeepingController(), Keepsake(place))
        window = (scene as? UIWindowScene).map(UIWindow.init)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        switch place {
        case .delegate: break
        case .scene: keepsake = kept
        case .controller, .refusedTap: controller.keepsake = kept
        case .presented:
            let presented = KeepingController()
            presented.keepsake = kept
            controller.present(presented, animated: true)
        case .action: controller.view.addSubview(UIButton(primaryAction: UIAction(title: "Keep") { _ in kept.use() }))
        case .observer:
            let center = NotificationCenter.default
            _ = center.addObserver(forName: .init("any"), object: nil, queue: nil) { _ in kept.use() }
        case .timer, .firedTimer: DispatchQueue.main.asyncAfter(deadline: .now() + 60) { kept.use() }
        case .task:
            Task {
                try await Task.sleep(for: .seconds(60))
                kept.use()
            }
        }
    }
}

private struct KeepingScreen: Screen, Equatable {
    enum Event: Codable { case tap(action: String) }

    static let examples: [Event] = [.tap(action: "Refuse")]
}

private final class KeepingController: UIViewController, ScreenController {
    var keepsake: Keepsake?

    var content: KeepingScreen { KeepingScreen() }

    func handle(_ event: KeepingScreen.Event) throws { throw Refusal("not now") }
}
