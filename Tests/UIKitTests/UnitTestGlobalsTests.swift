import Testing
import UIKit
import Usher
import UsherTesting

/// Gives each test globals of its own, like the trait that authors copy.
private struct OwnGlobals: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await UIKitSession.withGlobals { try await body() }
    }
}

@Suite("The globals of a unit test outside a session", OwnGlobals())
struct UnitTestGlobalsTests {
    @MainActor @Test func `a window belongs to the shared application once makeKeyAndVisible was called`() async {
        #expect(UIApplication.shared.windows.isEmpty)
        let (window, alert) = (UIWindow(), UIWindow())
        window.rootViewController = UINavigationController(rootViewController: UIViewController())
        window.makeKeyAndVisible()
        alert.windowLevel = .alert
        alert.isHidden = false
        await Task.yield()
        #expect(window.isKeyWindow && UIApplication.shared.keyWindow === window)
        #expect(UIApplication.shared.windows.elementsEqual([window, alert], by: ===))
    }

    @MainActor @Test func `a value that the test stores in UserDefaults or the pasteboard is kept until the test ends`()
        async
    {
        UserDefaults.standard.set(1, forKey: "count")
        UIPasteboard.general.string = "copied"
        await Task.yield()
        #expect(UserDefaults.standard.integer(forKey: "count") == 1 && UIPasteboard.general.string == "copied")
        #expect(UserDefaults(suiteName: "group")?.object(forKey: "count") == nil)
        #expect(NotificationCenter.default === NotificationCenter.default)
    }

    @MainActor @Test func `a nested call of withGlobals has its own globals and settings`() {
        UserDefaults.standard.set(1, forKey: "count")
        let (outer, window) = (UIApplication.shared, UIWindow())
        var settings = UIKitSettings()
        settings.idiom = .pad
        UIKitSession.withGlobals(settings) {
            window.makeKeyAndVisible()
            #expect(UIApplication.shared !== outer && window.isKeyWindow)
            #expect(UserDefaults.standard.object(forKey: "count") == nil)
            #expect(UIDevice.current.userInterfaceIdiom == .pad)
        }
        #expect(UIApplication.shared === outer && !window.isKeyWindow && outer.windows.isEmpty)
        #expect(UIDevice.current.userInterfaceIdiom == .phone)
    }

    @Test func `a session in a unit test has its own globals`() throws {
        UserDefaults.standard.set(1, forKey: "count")
        try AppUnderTest(GlobalsInSessionApp.self).finishTest()
        #expect(MainActor.assumeIsolated { UIApplication.shared.windows.isEmpty })
    }
}

private enum GlobalsInSessionApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = UINavigationController(rootViewController: UIViewController())
            #expect(UIApplication.shared.windows.count == 1 && window.isKeyWindow)
            #expect(UserDefaults.standard.object(forKey: "count") == nil)
            return nil
        }
    }
}
