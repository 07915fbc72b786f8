/// The notification centre of a session, which passes the notifications that the user opens to its delegate.
@MainActor @preconcurrency
open class UNUserNotificationCenter: NSObject {
    /// The object that is called when the user opens a notification.
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    fileprivate override init() {
        super.init()
    }

    /// Returns the centre of the session whose input is being handled; outside of a session, returns a new centre.
    open class func current() -> UNUserNotificationCenter {
        UIKitSession.ofGlobals?.value(UNUserNotificationCenter.self) { UNUserNotificationCenter() }
            ?? UNUserNotificationCenter()
    }

    /// Requests the permission to notify, which is always granted.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [], completionHandler: @escaping (Bool, (any Error)?) -> Void
    ) {
        UIKitSession.complete { completionHandler(true, nil) }
    }

    /// Requests the permission to notify, which is always granted.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

    final func receive(_ response: UNNotificationResponse) {
        delegate?.userNotificationCenter(self, didReceive: response, withCompletionHandler: {})
    }
}

/// The delegate of a notification centre, which implements one of the two forms of each method.
@MainActor @preconcurrency
public protocol UNUserNotificationCenterDelegate: AnyObject {
    /// Called when the user has opened a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)

    /// Called when the user has opened a notification.
    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

    /// Never called, because a client reports only notifications that the user opens.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

    /// Never called, because a client reports only notifications that the user opens.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions
}

extension UNUserNotificationCenterDelegate {
    /// Calls the asynchronous form of the method in a task.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        Task {
            await userNotificationCenter(center, didReceive: response)
            completionHandler()
        }
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {}

    /// Completes without options.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    /// Returns no options.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [] }
}

/// The content of a notification.
open class UNNotificationContent: NSObject {
    /// The title.
    public let title: String
    /// The text.
    public let body: String
    /// The data that the backend has added for the app, as Foundation decodes JSON: numbers are `NSNumber`.
    public let userInfo: [AnyHashable: Any]

    init(title: String, body: String, userInfo: [String: Any]) {
        (self.title, self.body, self.userInfo) = (title, body, userInfo)
        super.init()
    }
}

/// A request to show a notification.
open class UNNotificationRequest: NSObject {
    /// The content.
    public let content: UNNotificationContent

    init(_ content: UNNotificationContent) {
        self.content = content
        super.init()
    }
}

/// A notification.
open class UNNotification: NSObject {
    /// The request that the notification comes from.
    public let request: UNNotificationRequest
    /// The time of the input that delivered the notification.
    public let date: Date

    init(_ content: UNNotificationContent, _ date: Date) {
        (request, self.date) = (UNNotificationRequest(content), date)
        super.init()
    }
}

/// The user's response to a notification.
open class UNNotificationResponse: NSObject {
    /// The notification.
    public let notification: UNNotification
    /// The identifier of the action that the user has chosen.
    public let actionIdentifier: String

    init(_ notification: UNNotification, _ actionIdentifier: String) {
        (self.notification, self.actionIdentifier) = (notification, actionIdentifier)
        super.init()
    }

    /// The app's scene; nil if the app has no scenes.
    @MainActor @preconcurrency
    open var targetScene: UIScene? { UIKitSession.ofGlobals?.application.connectedScenes.first }
}

/// The identifier of the action when the user opens the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

/// The ways in which an app may notify the user.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// A sound.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// A text.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// Notifications that only appear in the notification centre.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
}

/// The ways in which a notification is presented while the app is in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// A sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// A text.
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// An entry in the notification centre.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// A banner.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
