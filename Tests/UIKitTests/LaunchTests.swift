import Testing
import UIKit
import UserNotifications
import Usher
import UsherSchema
import UsherTesting

/// Tests of universal links and notifications, while an app runs and at its launch.
///
/// The sources are the pages of `scene(_:continue:)`, `UIScene.ConnectionOptions`,
/// `application(_:continue:restorationHandler:)`, `UIApplication.LaunchOptionsKey` and
/// `UNUserNotificationCenterDelegate` on developer.apple.com/documentation.
@Suite
struct LaunchTests {
    private typealias Flow = UIKitCoordinator.Flow

    private static let link = Flow.userActivity(webpageURL: "https://shop.example/orders/7")
    private static let push = Flow.notification(title: "Sent", body: "Your order", userInfo: ["order": "7"])

    @Test func `a universal link is passed to the scene's delegate, or to the application's if there are no scenes`()
        throws
    {
        for (app, told) in [(try AppUnderTest(SceneApp.self), "scene"), (try AppUnderTest(ClassicApp.self), "app")] {
            app.open(Self.link)
            app.expectState(#"{"log":["\#(told) continues https://shop.example/orders/7"]}"#)
            app.finishTest()
        }
    }

    @Test func `a universal link that launches an app with scenes is passed once, when the scene connects`() throws {
        let app = try AppUnderTest(SceneApp.self, link: [Self.link])
        app.expectState(#"{"log":["connected by https://shop.example/orders/7"]}"#)
    }

    @Test func `a universal link that launches an app without scenes is in the launch options and is then continued`()
        throws
    {
        let app = try AppUnderTest(ClassicApp.self, link: [Self.link])
        let lines = #""launched by https://shop.example/orders/7","app continues https://shop.example/orders/7""#
        app.expectState(#"{"log":[\#(lines)]}"#)
    }

    @Test(arguments: ["shop://orders/7", "", "https//shop.example"])
    func `a universal link that does not begin with https:// is refused`(_ text: String) throws {
        let app = try AppUnderTest(SceneApp.self)
        app.expectRefusal(.refused, naming: "\"\(text)\" is not a universal link, which must begin with https://") {
            $0.open(Flow.userActivity(webpageURL: text))
        }
    }

    @Test func `opening a notification calls the delegate's method, whether it has a completion handler or is async`()
        throws
    {
        let scene = try AppUnderTest(SceneApp.self)
        scene.open(Self.push)
        scene.open(Flow.notification(userInfo: ["order": "8"], action: "reorder"))
        scene.expectState(#"{"log":["opened Sent: Your order 7","reorder : 8"]}"#)
        let classic = try AppUnderTest(ClassicApp.self)
        classic.open(Self.push)
        classic.expectState(#"{"log":["awaited Sent"]}"#)
    }

    @Test func `a client may omit the parts of a notification that are empty`() throws {
        let app = try AppUnderTest(SceneApp.self)
        app.input(#"{"open":[{"notification":{"userInfo":{"order":"7"}}}]}"#)
        app.expectState(#"{"log":["opened : 7"]}"#)
    }

    @Test(arguments: [
        ("7", "Int Double"), ("7.0", "Int Double"), ("7.5", "Double"), ("true", "Int Double Bool"), (#""7""#, "String"),
        ("null", "NSNull"), ("[1,2]", "[Int]"), (#"{"badge":3}"#, "[String: Int]"), (#"[{"a":[null,1.5]}]"#, "[Any]"),
    ])
    func `an app can cast a value of userInfo in the same way as a value of Foundation's JSON`(
        _ json: String, _ types: String
    ) throws {
        let app = try AppUnderTest(SceneApp.self)
        app.input(#"{"open":[{"notification":{"title":"types","userInfo":{"order":\#(json)}}}]}"#)
        app.expectState(#"{"log":["\#(types)"]}"#)
        app.finishTest()
    }

    @Test func `a value of userInfo is the same JSON after reading and writing it`() throws {
        let value: Flow = .notification(userInfo: [
            "a": [1, 1.5, true, nil, "x"], "b": ["c": ["d": []]], "e": 9_007_199_254_740_993,
        ])
        let json = #"{"notification":{"userInfo":{"a":[1,1.5,true,null,"x"],"b":{"c":{"d":[]}},"e":9007199254740993}}}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Flow.self, from: Data(json.utf8)) == value)
    }

    @Test func `the schema says that userInfo has values of any type`() {
        guard case .choice(let cases) = SchemaRecorder().schema(of: Flow.self),
            case .object(let members, _) = cases.first(where: { $0.name == "notification" })?.payload
        else {
            Issue.record("the flow has no case notification")
            return
        }
        #expect(members.first { $0.name == "userInfo" }?.schema == .optional(.map(.anything)))
    }

    @Test func `a number of userInfo that no Double can hold is refused`() throws {
        let app = try AppUnderTest(SceneApp.self)
        app.expectRefusal(.invalid, naming: "expected a number from -1.7976931348623157e+308") {
            $0.input(#"{"open":[{"notification":{"userInfo":{"order":[1e999]}}}]}"#)
        }
    }

    @Test func `a notification that launches an app is passed to the notification centre's delegate too`() throws {
        let scene = try AppUnderTest(SceneApp.self, link: [Self.push])
        scene.expectState(#"{"log":["connected by Sent","opened Sent: Your order 7"]}"#)
        let classic = try AppUnderTest(ClassicApp.self, link: [Self.push])
        classic.expectState(#"{"log":["launched by 7","awaited Sent"]}"#)
    }

    @Test func `an app that asks for permission to send notifications gets the permission`() throws {
        let app = try AppUnderTest(ClassicApp.self)
        app.send("tap", ["action": "Ask"])
        app.expectState(#"{"log":["asked","granted","granted"]}"#)
    }
}

private enum SceneApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: AppDelegate(), scene: SceneDelegate())
    }
}

private enum ClassicApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: ClassicDelegate())
    }
}

private struct LogScreen: Screen, Equatable {
    enum Event: Codable {
        case tap(action: String)
    }

    static let examples: [Event] = [.tap(action: "Ask")]

    let log: [String]
}

private final class LogViewController: UIViewController, ScreenController {
    private(set) var log: [String] = []

    var content: LogScreen { LogScreen(log: log) }

    func handle(_ event: LogScreen.Event) {
        let center = UNUserNotificationCenter.current()
        center.requestAuthorization(options: [.alert, .sound]) { [weak self] isGranted, _ in
            self?.note(isGranted ? "granted" : "refused")
        }
        Task { [weak self] in
            let isGranted = try await center.requestAuthorization(options: .badge)
            self?.note(isGranted ? "granted" : "refused")
        }
        note("asked")
    }

    func note(_ line: String) { log.append(line) }
}

private final class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return options == nil
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let action =
            response.actionIdentifier == UNNotificationDefaultActionIdentifier ? "opened" : response.actionIdentifier
        let content = response.notification.request.content
        let scene = response.targetScene as? UIWindowScene
        let controller = scene?.keyWindow?.rootViewController as? LogViewController
        defer { completionHandler() }
        if content.title == "types" {
            controller?.note(types(of: content.userInfo["order"] as Any))
            return
        }
        let order = content.userInfo["order"] as? String ?? ""
        controller?.note("\(action) \(content.title): \(content.body.isEmpty ? "" : content.body + " ")\(order)")
    }
}

extension AppDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .sound])
    }
}

private final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let controller = LogViewController()

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        window = UIWindow(windowScene: scene)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        for activity in options.userActivities { controller.note("connected by \(text(activity))") }
        if let response = options.notificationResponse {
            controller.note("connected by \(response.notification.request.content.title)")
        }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        controller.note("scene continues \(text(userActivity))")
    }
}

private final class ClassicDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var window: UIWindow?
    private let controller = LogViewController()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        if let activities = options?[.userActivityDictionary] as? [String: NSUserActivity] {
            for activity in activities.values { controller.note("launched by \(text(activity))") }
        }
        if let userInfo = options?[.remoteNotification] as? [AnyHashable: Any] {
            controller.note("launched by \(userInfo["order"] as? String ?? "")")
        }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        controller.note("app continues \(text(userActivity))")
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        controller.note("awaited \(response.notification.request.content.title)")
    }
}

/// Returns the types that an app can cast a value to.
private func types(of value: Any) -> String {
    let types: [(String, Bool)] = [
        ("Int", value is Int), ("Double", value is Double), ("Bool", value is Bool), ("String", value is String),
        ("NSNull", value is NSNull), ("[Int]", value is [Int]), ("[String: Int]", value is [String: Int]),
        ("[Any]", value is [Any] && !(value is [Int])),
    ]
    return types.filter(\.1).map(\.0).joined(separator: " ")
}

extension ClassicDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { .list }
}

private func text(_ activity: NSUserActivity) -> String {
    activity.activityType == NSUserActivityTypeBrowsingWeb ? activity.webpageURL?.absoluteString ?? "" : ""
}
