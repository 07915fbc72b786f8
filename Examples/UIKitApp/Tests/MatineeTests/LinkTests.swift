import Testing
import UIKit
import Usher
import UsherTesting

@testable import MatineeServer

@Suite
struct LinkTests {
    @Test func `a link opens a film and closes a booking`() async throws {
        let app = try await openSeats()
        app.open(UIKitCoordinator.Flow.url("matinee://films/1"))
        await app.settle()
        app.expectStack(tabs.replacing("filmList", with: "filmList, filmDetail"))
        app.expectVisible(
            FilmDetailScreen(
                film: Film(id: 1, title: "Night Train", minutes: 96), isOnWatchlist: false, banner: nil))
    }

    @Test func `a link that arrives before the login is opened after the login`() async throws {
        let app = try AppUnderTest(MatineeApp.self)
        app.open(UIKitCoordinator.Flow.url("matinee://films/1"))
        app.expectStack("n[login]")
        app.send(.logIn(name: "kim", password: "popcorn"), on: LoginScreen.self)
        await app.settle()
        app.expectStack(tabs.replacing("filmList", with: "filmList, filmDetail"))
    }

    @Test(arguments: ["matinee://films/9", "matinee://tickets/9", "matinee://actors/1", "https://example.org/1"])
    func `an invalid link shows no new screen`(_ link: String) async throws {
        let app = try await openTabs()
        app.open(UIKitCoordinator.Flow.url(link))
        await app.settle()
        app.select("Films")
        app.expectStack(tabs)
    }
}
