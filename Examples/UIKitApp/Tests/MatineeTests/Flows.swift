import Testing
import Usher
import UsherTesting

@testable import MatineeServer

let tabs = "tab(Films){Films[filmList], Tickets[ticketList], Profile[profile]}"

/// Opens a session whose user is logged in, and whose films are loaded.
func openTabs(of app: (some App).Type = MatineeApp.self) async throws -> AppUnderTest {
    let app = try AppUnderTest(app)
    app.send(.logIn(name: "kim", password: "popcorn"), on: LoginScreen.self)
    await app.settle()
    app.expectStack(tabs)
    return app
}

/// Goes to the seats of the second film.
func openSeats() async throws -> AppUnderTest {
    let app = try await openTabs()
    app.send(.select(id: 2), on: FilmListScreen.self)
    app.send("book")
    return app
}

extension AppUnderTest {
    /// Taps an action of an alert.
    func tap(_ action: String, sourceLocation: SourceLocation = #_sourceLocation) {
        send("tap", ["action": action], sourceLocation: sourceLocation)
    }
}
