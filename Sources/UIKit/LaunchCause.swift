/// A link or a notification that launches an app or is opened in it.
enum LaunchCause {
    case url(URL)
    case activity(NSUserActivity)
    case notification(UNNotificationResponse)

    /// Creates the cause for a flow; nil if the flow is neither a notification nor a valid link.
    init?(_ flow: UIKitCoordinator.Flow) {
        switch flow {
        case .url(let text):
            guard let url = URL(string: text) else { return nil }
            self = .url(url)
        case .userActivity(let text):
            // Only web links can be universal links.
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else { return nil }
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = url
            self = .activity(activity)
        case .notification(let title, let body, let userInfo, let action):
            let content = UNNotificationContent(
                title: title ?? "", body: body ?? "", userInfo: userInfo?.mapValues(\.foundation) ?? [:])
            let date = UIKitSession.current?.now ?? Date()
            let notification = UNNotification(content, date)
            self = .notification(UNNotificationResponse(notification, action ?? UNNotificationDefaultActionIdentifier))
        case .cancelledPop, .pageTurned, .enteredBackground, .enteredForeground: return nil
        }
    }

    /// The launch options of an app without scenes.
    var launchOptions: [UIApplication.LaunchOptionsKey: Any] {
        switch self {
        case .url(let url): [.url: url]
        case .activity(let activity): [.userActivityDictionary: ["UIApplicationLaunchOptionsUserActivityKey": activity]]
        case .notification(let response): [.remoteNotification: response.notification.request.content.userInfo]
        }
    }
}

/// An activity that one app continues for another; here, a web link that the app opens.
open class NSUserActivity: NSObject {
    /// The kind of activity.
    public let activityType: String
    /// The web link.
    open var webpageURL: URL?
    /// The title.
    open var title: String?
    /// The data that the app needs to continue the activity.
    open var userInfo: [AnyHashable: Any]?

    /// Creates an activity.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }
}

/// The type of an activity that is a web link.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// An object that continues an activity.
@MainActor @preconcurrency
public protocol UIUserActivityRestoring: AnyObject {}

extension UIResponder: UIUserActivityRestoring {}
