import UIKit
import UserNotifications

// The Xcode project's main.swift passes this class to UIApplicationMain.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Set by the scene's delegate.
    var onRecipe: ((Int) -> Void)?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        guard let recipe = response.notification.request.content.userInfo["recipe"] as? String else { return }
        if let id = Int(recipe) { onRecipe?(id) }
    }
}
