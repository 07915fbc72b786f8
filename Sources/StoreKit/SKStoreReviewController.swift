public import UIKit

/// Asks the user to rate the app, by a prompt of the client's device.
@MainActor @preconcurrency
open class SKStoreReviewController: NSObject {
    /// The end of the prompt, as an event.
    public enum ReviewChoice: String, SystemChoice, CaseIterable {
        case done
    }

    /// Shows the prompt; the app does not learn what the user has done.
    open class func requestReview() {
        SystemPrompt(named: "storeReview", items: [], cancellation: ReviewChoice.done) { _ in }.show()
    }

    /// Shows the prompt; the app does not learn what the user has done.
    open class func requestReview(in windowScene: UIWindowScene) { requestReview() }
}

/// The store, by its newer name.
public enum AppStore {
    /// Shows the prompt of `SKStoreReviewController`.
    @MainActor @preconcurrency
    public static func requestReview(in scene: UIWindowScene) { SKStoreReviewController.requestReview() }
}
