import Testing
import Usher
import UsherTesting

@testable import MatineeServer

/// The two mistakes that are in the app on purpose, as its tests find them.
@Suite
struct MistakeTests {
    @Test func `a closure that holds its controller is named`() async throws {
        let app = try await openTicket()
        withKnownIssue {
            app.back()
            app.finishTest()
        } matching: { issue in
            "\(issue)".contains("TicketDetailViewController") && "\(issue)".contains("onShare")
        }
    }

    /// Books a ticket, and shows it.
    private func openTicket() async throws -> AppUnderTest {
        let app = try await openSeats()
        app.send(.toggle(seat: "C4"), on: SeatsScreen.self)
        app.send(.pay, on: SeatsScreen.self)
        app.send("pay")
        await app.settle()
        app.send("done")
        app.select("tickets")
        await app.settle()
        app.send(.select(id: 1), on: TicketListScreen.self)
        return app
    }
}
