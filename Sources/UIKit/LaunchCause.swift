/// What an app is launched or entered by, from outside.
enum LaunchCause {
    case url(URL)
    case activity(NSUserActivity)
    case notification(UNNotificationResponse)

    /// Creates the cause that a flow describes; nil if it describes none, or no link.
    init?(_ flow: UIKitCoordinator.Flow) {
        switch flow {
        case .url(let text):
            guard let url = URL(string: text) else { return nil }
            self = .url(url)
        case .userActivity(let text):
            // Only links of the web are universal ones.
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else { return nil }
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = url
            self = .activity(activity)
        case .notification(let title, let body, let userInfo, let action):
            let content = UNNotificationContent(title: title ?? "", body: body ?? "", userInfo: userInfo ?? [:])
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

/// What the user does in an app, to be continued in another: here, a link of the web that the app opens.
open class NSUserActivity: NSObject {
    /// The kind of activity.
    public let activityType: String
    /// The link of the web.
    open var webpageURL: URL?
    /// The title.
    open var title: String?
    /// What the app needs for going on.
    open var userInfo: [AnyHashable: Any]?

    /// Creates an activity.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }
}

/// The kind of an activity that is a link of the web.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// An object that goes on with an activity.
@MainActor @preconcurrency
public protocol UIUserActivityRestoring: AnyObject {}

extension UIResponder: UIUserActivityRestoring {}
