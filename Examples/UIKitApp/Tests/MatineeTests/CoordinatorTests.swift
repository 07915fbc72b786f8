import Testing
import UIKit
import XCTest

@testable import MatineeServer

// Unit tests of coordinators as iOS repositories have them. They run outside a session.

final class AppCoordinatorTests: XCTestCase {
    override func invokeTest() {
        UIKitSession.withGlobals { super.invokeTest() }
    }

    // XCTest on Linux runs tests of an actor only if they are asynchronous.
    @MainActor
    func testLoginIsTheRootOfTheKeyWindow() async throws {
        let window = UIWindow()
        AppCoordinator(window: window, repository: FakeCinemaRepository()).start()
        let root = UIApplication.shared.keyWindow?.rootViewController as? UINavigationController
        XCTAssertTrue(try XCTUnwrap(root).topViewController is LoginViewController)
    }
}

@Suite("The app's coordinator", .ownGlobals)
@MainActor
struct AppCoordinatorSuite {
    @Test func `a login replaces the login coordinator with the tabs, and stores the user`() throws {
        let window = UIWindow()
        let coordinator = AppCoordinator(window: window, repository: FakeCinemaRepository())
        coordinator.start()
        let login = try #require(coordinator.childCoordinators.first as? LoginCoordinator)
        coordinator.loginCoordinator(login, didLogIn: User(name: "kim"))
        #expect(coordinator.navigationController.topViewController is UITabBarController)
        #expect(UserDefaults.standard.string(forKey: "user") == "kim")
        #expect(coordinator.childCoordinators.count == 1)
    }
}

/// Gives each test of a suite globals of its own, such as `UIApplication.shared` and `UserDefaults.standard`.
struct OwnGlobals: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await UIKitSession.withGlobals { try await body() }
    }
}

extension Trait where Self == OwnGlobals {
    static var ownGlobals: Self { Self() }
}
