import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of delegates that do not implement all calls of a navigation controller.
@Suite
struct PartialDelegateTests {
    @Test func `a delegate is called, even if the previous delegate implemented no method`() throws {
        let app = try AppUnderTest(DelegateApp.self)
        for _ in 0..<2 { app.input(#"{"event":"push"}"#) }
        #expect(app.calls == [])
        app.input(#"{"event":"observe"}"#)
        app.input(#"{"event":"push"}"#)
        #expect(app.calls == ["willShow", "didShow"])
    }

    @Test func `a delegate that forwards its calls to an object without these methods is still called each time`()
        throws
    {
        let app = try AppUnderTest(DelegateApp.self)
        app.input(#"{"event":"forward"}"#)
        for _ in 0..<2 { app.input(#"{"event":"push"}"#) }
        #expect(app.calls == ["willShow", "didShow", "willShow", "didShow"])
    }
}

private enum DelegateApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let delegates = Delegates()
            window.rootViewController = delegates.navigation
            delegates.push()
            return delegates
        }
    }
}

@MainActor
private final class Delegates {
    let navigation = UINavigationController()
    let observer = Observer()
    private let partial = PartialDelegate()

    init() {
        navigation.delegate = partial
    }

    func push() { navigation.pushViewController(CallsViewController(self), animated: true) }

    func observe(forwarding: Bool) {
        if forwarding { observer.forwardee = partial }
        navigation.delegate = observer
    }
}

/// Implements no call.
private final class PartialDelegate: UINavigationControllerDelegate {}

private final class Observer: UINavigationControllerDelegate {
    private(set) var calls: [String] = []
    var forwardee: (any UINavigationControllerDelegate)?

    func navigationController(
        _ navigationController: UINavigationController, willShow controller: UIViewController, animated: Bool
    ) {
        calls.append("willShow")
        forwardee?.navigationController(navigationController, willShow: controller, animated: animated)
    }

    func navigationController(
        _ navigationController: UINavigationController, didShow controller: UIViewController, animated: Bool
    ) {
        calls.append("didShow")
        forwardee?.navigationController(navigationController, didShow: controller, animated: animated)
    }
}

private struct CallsScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case push, observe, forward
    }

    let calls: [String]
}

private final class CallsViewController: UIViewController, ScreenController {
    private unowned let delegates: Delegates

    init(_ delegates: Delegates) {
        self.delegates = delegates
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    var content: CallsScreen { CallsScreen(calls: delegates.observer.calls) }

    func handle(_ event: CallsScreen.Event) {
        switch event {
        case .push: delegates.push()
        case .observe: delegates.observe(forwarding: false)
        case .forward: delegates.observe(forwarding: true)
        }
    }
}
