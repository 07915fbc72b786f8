import Foundation
import Testing
import UIKit
import Usher
import UsherTesting

@testable import MatineeServer

/// Measures the memory that ended sessions return.
///
/// The measurement takes minutes, and needs an otherwise idle machine.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["USHER_LONG"] != nil), .serialized, .timeLimit(.minutes(30)))
struct MemoryTests {
    @Test func `after a thousand sessions have ended, the process uses no more memory than before`() async throws {
        try await expectConstantMemory { try await walk(MatineeApp.self) }
    }

    @Test func `ended sessions free their memory, even if the app's delegate retains the application`()
        async throws
    {
        try await expectConstantMemory { try await walk(KeepingMatineeApp.self) }
    }

    private func expectConstantMemory(_ walk: () async throws -> Void) async throws {
        for _ in 0..<200 { try await walk() }
        let before = try Self.residentBytes
        for _ in 0..<1_000 { try await walk() }
        let growth = Double(try Self.residentBytes - before) / Double(before)
        #expect(growth < 0.02, "\(before) bytes have grown by \(growth * 100) %")
    }

    /// Opens a session, walks through the app without a purchase, and ends the session.
    private func walk(_ app: (some App).Type) async throws {
        let app = try await openTabs(of: app)
        app.send(.select(id: 1), on: FilmListScreen.self)
        app.back()
        app.select("Tickets")
        app.select("Profile")
        app.send("showSettings")
        app.send("close")
        app.finishTest()
    }

    private static var residentBytes: Int {
        get throws {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(fields[1])) * 4_096
        }
    }
}

/// Matinee with a delegate that retains the session's application, and so everything that the application refers to.
private enum KeepingMatineeApp: App {
    static var screens: [any Screen.Type] { MatineeApp.screens }
    static var flowHosts: [any FlowHost.Type] { MatineeApp.flowHosts }

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: KeepingDelegate(), scene: SceneDelegate(repository: EffectCinemaRepository()))
    }

    static func services() -> Cinema { Cinema() }
}

private final class KeepingDelegate: UIResponder, UIApplicationDelegate {
    private var kept: [AnyObject] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        kept = [application, UIApplication.shared, NotificationCenter.default, UserDefaults.standard]
        return true
    }
}
