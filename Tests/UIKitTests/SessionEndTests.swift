import Synchronization
import Testing
import UIKit
import Usher
import UsherTesting

/// Tests that objects that are released at a session's end can still use the session.
///
/// On a phone, no object of an app outlives the application.
@Suite
struct SessionEndTests {
    @Test(arguments: KeepingPlace.allCases)
    fileprivate func `an object is released within its session, whatever retains it`(_ place: KeepingPlace) throws {
        let before = Released.all.withLock { $0[place, default: []].count }
        do {
            let app = try AppUnderTest(KeepingApp.self, options: .init(place: place))
            if place == .refusedTap { app.expectRefusal(.refused) { $0.send("tap", ["action": "Refuse"]) } }
            if place == .firedTimer { app.advance(by: .seconds(120)) }
        }
        let released = Released.all.withLock { $0[place, default: []] }
        // The session's objects, and those of its replay.
        #expect(released.count >= before + 2)
        #expect(released.allSatisfy { $0.name == "kim" && $0.hasScene })
        // The delegate is released last, so the objects that it retains find none.
        #expect(released.allSatisfy { $0.hasDelegate } || place == .delegate)
    }

    @Test(arguments: SessionObject.allCases)
    fileprivate func `an app that retains the session's global objects is freed at the session's end`(
        _ object: SessionObject
    )
        throws
    {
        let before = FreedApp.ends.withLock { $0[object, default: 0] }
        do { _ = try AppUnderTest(FreedApp.self, options: .init(keeps: object)) }
        // The scene's delegate and the controller, in the session and in its replay.
        #expect(FreedApp.ends.withLock { $0[object, default: 0] } == before + 4)
    }

    @Test func `objects that the launch or pending work retains at the session's end are released within the session`()
        throws
    {
        do { _ = try AppUnderTest(LaunchedApp.self) }
        // The objects of the session, and those of its replay.
        #expect(LaunchedApp.ends.withLock(\.self) == Array(repeating: "kim", count: 4))
    }

    @Test func `a session is freed when it ends, even if the closures of its screens retain it`() throws {
        do { _ = try AppUnderTest(TwoScreensApp.self) }
        let sessions = TwoScreensApp.sessions.withLock(\.self)
        // The session, and its replay.
        #expect(sessions.count == 2)
        #expect(sessions.allSatisfy { $0.session == nil })
    }
}

/// Shows a plain screen below a screen of its own.
private enum TwoScreensApp: App {
    struct OpenedSession {
        weak var session: UIKitSession?
    }

    static let sessions = Mutex<[OpenedSession]>([])

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            sessions.withLock { $0.append(OpenedSession(session: UIKitSession.current)) }
            let navigation = UINavigationController(rootViewController: UIViewController())
            navigation.pushViewController(KeepingController(), animated: false)
            window.rootViewController = navigation
            return nil
        }
    }
}

private enum LaunchedApp: App {
    /// The names that objects read from the defaults when they are released.
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

/// The values that an object has read when it was released.
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

/// The objects that belong to the whole process on a phone.
private enum SessionObject: String, Codable, CaseIterable {
    case application, scene, sceneSession, window, notificationCenter, observation, defaults, storedInDefaults
    case storedInSuite, device, screen, session, mainQueue, operationQueue, runLoop
}

private enum FreedApp: App {
    struct Options: Codable, Sendable {
        var keeps = SessionObject.application
    }

    static let options = Options()
    static let ends = Mutex<[SessionObject: Int]>([:])

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: FreedDelegate(), scene: FreedSceneDelegate(options.keeps))
    }
}

private final class FreedDelegate: UIResponder, UIApplicationDelegate {}

private final class FreedSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let keeps: SessionObject
    private var kept: [Any] = []

    init(_ keeps: SessionObject) {
        self.keeps = keeps
    }

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        window = (scene as? UIWindowScene).map(UIWindow.init)
        let controller = FreedViewController(keeps)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        kept = object(in: scene)
        controller.kept = kept + [self]
    }

    private func object(in scene: UIScene) -> [Any] {
        let center = NotificationCenter.default
        switch keeps {
        case .application: return [UIApplication.shared]
        case .scene: return [scene]
        case .sceneSession: return [scene.session]
        case .window: return window.map { [$0] } ?? []
        case .notificationCenter: return [center]
        case .observation:
            return [center, center.addObserver(forName: .init("any"), object: nil, queue: nil) { _ in self.use() }]
        case .defaults: return [UserDefaults.standard]
        case .storedInDefaults:
            UserDefaults.standard.set(self, forKey: "app")
            return [UserDefaults.standard]
        case .storedInSuite:
            let suite = UserDefaults(suiteName: "suite")
            suite?.register(defaults: ["app": self])
            return suite.map { [$0] } ?? []
        case .device: return [UIDevice.current]
        case .screen: return [UIScreen.main]
        case .session: return UIKitSession.current.map { [$0, $0.application] } ?? []
        case .mainQueue:
            DispatchQueue.main.asyncAfter(deadline: .now() + 60) { self.use() }
            return [DispatchQueue.main]
        case .operationQueue: return [OperationQueue.main]
        case .runLoop:
            let timer = Timer(timeInterval: 60, repeats: true) { _ in self.use() }
            RunLoop.main.add(timer, forMode: .common)
            return [RunLoop.main, timer]
        }
    }

    private func use() {}

    deinit {
        let keeps = keeps
        FreedApp.ends.withLock { $0[keeps, default: 0] += 1 }
    }
}

private final class FreedViewController: UIViewController {
    private let keeps: SessionObject
    var kept: [Any] = []

    init(_ keeps: SessionObject) {
        self.keeps = keeps
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    deinit {
        let keeps = keeps
        FreedApp.ends.withLock { $0[keeps, default: 0] += 1 }
    }
}
