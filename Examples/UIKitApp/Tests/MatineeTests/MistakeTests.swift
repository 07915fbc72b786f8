import Testing
import Usher
import UsherTesting

@testable import MatineeServer

/// Tests that the two deliberate mistakes in the app are found.
@Suite
struct MistakeTests {
    @Test func `if a coordinator stays in memory after its sheet was dismissed, the report names its holder`()
        async throws
    {
        let app = try await openTabs()
        app.select("Profile")
        app.send("showSettings")
        app.expectZombie("SettingsCoordinator is a zombie: ProfileCoordinator.childCoordinators[0]") {
            // Everything that the leaked object retains leaks with it.
            $0.expectLeak("SettingsViewController") { $0.back() }
        }
        app.expectOwnTree("App→[MainTab→[Films[filmList], Tickets[ticketList], Profile[profile]→[Settings!]]]")
    }

    @Test func `if a closure retains its controller, the report of the leak has the path to the closure`() async throws
    {
        let app = try await openTicket()
        app.expectLeak("TicketDetailViewController.viewModel.onShare") { $0.back() }
    }

    @Test func `closing the settings sheet with its button leaves no coordinator in memory`() async throws {
        let app = try await openTabs()
        app.select("Profile")
        app.send("showSettings")
        app.send("close")
        app.expectOwnTree("App→[MainTab→[Films[filmList], Tickets[ticketList], Profile[profile]]]")
    }

    /// Books a ticket and shows it.
    private func openTicket() async throws -> AppUnderTest {
        let app = try await openSeats()
        app.send(.toggle(seat: "C4"), on: SeatsScreen.self)
        app.send(.pay, on: SeatsScreen.self)
        app.send("pay")
        await app.settle()
        app.send("done")
        app.back()
        app.select("Tickets")
        await app.settle()
        app.send(.select(id: 1), on: TicketListScreen.self)
        return app
    }
}
