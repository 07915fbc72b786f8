import UIKit
import Usher

/// An app whose screens follow orders, and show all calls of its controllers and delegates.
enum RowApp: App {
    struct Options: Codable, Sendable {
        enum Start: String, Codable {
            case navigation, tabs
        }

        var start = Start.navigation
    }

    static let options = Options()
    static let screens: [any Screen.Type] = [RowScreen.self]
    static let flowHosts: [any FlowHost.Type] = [UIKitCoordinator.self]

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let stage = Stage(window)
            switch options.start {
            case .navigation: stage.startNavigation()
            case .tabs: stage.startTabs()
            }
            return stage
        }
    }
}

/// The calls of one session so far.
@MainActor
final class CallLog {
    private(set) var calls: [String] = []

    func note(_ call: String) {
        calls.append(call)
    }
}

/// The coordinator of the app, which carries out the screens' orders.
@MainActor
final class Stage {
    let window: UIWindow
    let log = CallLog()
    /// Whether the delegates refuse.
    var refuses = false
    /// The actions that run once, when a navigation controller's delegate is called.
    var deeds: [NavigationCall: () -> Void] = [:]
    /// Whether the primary column must be on top.
    var wantsPrimary = false

    init(_ window: UIWindow) {
        self.window = window
    }

    func startNavigation() {
        window.rootViewController = navigation(with: "A")
    }

    func startTabs() {
        let tabs = RowTabBarController(self)
        tabs.viewControllers = ["A", "B"].map { name in
            let controller = navigation(with: name)
            controller.tabBarItem = UITabBarItem(title: name.lowercased(), image: nil, tag: 0)
            return controller
        }
        tabs.delegate = self
        window.rootViewController = tabs
    }

    func navigation(with name: String) -> UINavigationController {
        let navigation = RowNavigationController(self)
        navigation.viewControllers = [make(name)]
        navigation.delegate = self
        return navigation
    }

    func make(_ name: String) -> RowController { RowController(name, self) }
}

extension Stage: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController, willShow controller: UIViewController, animated: Bool
    ) {
        log.note("willShow \(controller.title ?? "")")
        deeds.removeValue(forKey: .willShow)?()
    }

    func navigationController(
        _ navigationController: UINavigationController, didShow controller: UIViewController, animated: Bool
    ) {
        let from = navigationController.transitionCoordinator?.viewController(forKey: .from)
        let isGone = from.map { !navigationController.viewControllers.contains($0) } ?? false
        let left = isGone ? " without \(from?.title ?? "")" : ""
        let hasNavigation = isGone && from?.navigationController != nil
        log.note("didShow \(controller.title ?? "")" + left + (hasNavigation ? ", which has a navigation" : ""))
        deeds.removeValue(forKey: .didShow)?()
    }
}

extension Stage: UITabBarControllerDelegate {
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect controller: UIViewController) -> Bool {
        log.note("shouldSelect \(controller.tabBarItem.title ?? "")")
        return !refuses
    }

    func tabBarController(_ tabBarController: UITabBarController, didSelect controller: UIViewController) {
        log.note("didSelect \(controller.tabBarItem.title ?? "")")
    }
}

extension Stage: UIAdaptivePresentationControllerDelegate {
    func presentationControllerShouldDismiss(_ presentation: UIPresentationController) -> Bool {
        log.note("shouldDismiss")
        return !refuses
    }

    func presentationControllerWillDismiss(_ presentation: UIPresentationController) { log.note("willDismiss") }

    func presentationControllerDidDismiss(_ presentation: UIPresentationController) { log.note("didDismiss") }

    func presentationControllerDidAttemptToDismiss(_ presentation: UIPresentationController) {
        log.note("didAttemptToDismiss")
    }
}

/// A navigation controller that records pops, and may retain its controllers.
final class RowNavigationController: UINavigationController {
    private unowned let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func popViewController(animated: Bool) -> UIViewController? {
        stage.log.note("popViewController")
        return stage.refuses ? nil : super.popViewController(animated: animated)
    }
}

/// A tab bar controller that records its calls.
final class RowTabBarController: UITabBarController {
    private unowned let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}
