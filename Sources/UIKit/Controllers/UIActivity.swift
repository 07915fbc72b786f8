/// A service that a share sheet offers, which is never performed: the client's event decides how the sheet ends.
@MainActor @preconcurrency
open class UIActivity: NSObject {
    /// The kinds of services in the sheet.
    public enum Category: Int, Sendable {
        case action, share
    }

    /// Creates a service.
    public override init() {
        super.init()
    }

    /// The kind of service in the sheet.
    open class var activityCategory: Category { .action }

    /// The kind of activity.
    open var activityType: UIActivityViewController.ActivityType? { nil }

    /// The title.
    open var activityTitle: String? { nil }

    /// The image.
    open var activityImage: UIImage? { nil }

    /// Returns `false`.
    open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }

    /// Does nothing.
    open func prepare(withActivityItems activityItems: [Any]) {}

    /// Does nothing.
    open func perform() {}

    /// Does nothing.
    open func activityDidFinish(_ completed: Bool) {}
}
