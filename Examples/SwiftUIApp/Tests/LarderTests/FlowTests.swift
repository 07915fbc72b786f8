import Testing
import UIKit
import Usher
import UsherTesting

@testable import LarderServer

/// Tests of the app in the test's process.
///
/// Each test ends with a replay, and finds objects that stay in memory.
@Suite
struct FlowTests {
    @Test func `the search sends one request, after the user has stopped typing`() async throws {
        let app = try await openSearch()
        for query in ["s", "so", "soup"] {
            app.send(.type(query: query), on: SearchScreen.self)
            app.advance(by: .milliseconds(299))
        }
        app.expectVisible(SearchScreen(query: "soup", rows: rows([1, 2, 3]), isSearching: false, failure: nil))
        app.advance(by: .milliseconds(1))
        app.expectVisible(SearchScreen(query: "soup", rows: rows([1, 2, 3]), isSearching: true, failure: nil))
        await app.settle()
        app.expectVisible(SearchScreen(query: "soup", rows: rows([1, 2]), isSearching: false, failure: nil))
    }

    @Test func `a failed search is shown as failed, and the next search works`() async throws {
        let app = try await openSearch()
        await search("?", in: app)
        app.expectVisible(
            SearchScreen(query: "?", rows: rows([1, 2, 3]), isSearching: false, failure: "Please search for words"))
        await search("cake", in: app)
        app.expectVisible(SearchScreen(query: "cake", rows: rows([3]), isSearching: false, failure: nil))
    }

    @Test func `a user can load a recipe, mark it as a favourite, and go back`() async throws {
        let app = try await openSearch()
        app.send(.select(id: 2), on: SearchScreen.self)
        app.expectVisible(RecipeScreen(details: nil, failure: nil, isFavourite: false))
        await app.settle()
        app.expectVisible(RecipeScreen(details: onionSoup, failure: nil, isFavourite: false))
        app.send(.toggleFavourite, on: RecipeScreen.self)
        app.expectOwnTree("App[search]→[Recipe[recipe]]")
        app.back()
        app.expectVisible(SearchScreen(query: "", rows: rows([1, 2, 3], liked: 2), isSearching: false, failure: nil))
    }

    @Test func `the kitchen timer follows the session's clock, and its sheet closes when the time is up`() async throws
    {
        let app = try await openSearch()
        app.send(.select(id: 2), on: SearchScreen.self)
        await app.settle()
        app.send(.cook, on: RecipeScreen.self)
        app.send(.toggle, on: KitchenTimerScreen.self)
        app.advance(by: .seconds(50))
        app.expectVisible(KitchenTimerScreen(title: "Onion soup", secondsLeft: 70, isRunning: true))
        app.send(.toggle, on: KitchenTimerScreen.self)
        app.expectPending()
        app.advance(by: .seconds(50))
        app.send(.toggle, on: KitchenTimerScreen.self)
        app.advance(by: .seconds(70))
        app.expectVisible(RecipeScreen(details: onionSoup, failure: nil, isFavourite: false))
        app.expectPending()
    }

    @Test func `the state of a view that declares no screen has the view's title and buttons`() async throws {
        let app = try await openSearch()
        app.send(.about, on: SearchScreen.self)
        app.expectState(#"{"title":"About","actions":["done"]}"#)
        app.send("tap", ["action": "done"])
        app.expectVisible(SearchScreen(query: "", rows: rows([1, 2, 3]), isSearching: false, failure: nil))
    }

    private static let ways: [UIKitCoordinator.Flow] = [
        .url("larder://recipes/2"), .userActivity(webpageURL: "https://larder.example/recipes/2"),
        .notification(title: "Recipe of the day", userInfo: ["recipe": "2"]),
    ]

    @Test(arguments: ways)
    func `a link, a universal link or a notification opens a recipe, even if it launches the app`(
        _ way: UIKitCoordinator.Flow
    ) async throws {
        for isLaunched in [false, true] {
            let app = if isLaunched { try AppUnderTest(LarderApp.self, link: [way]) } else { try await openSearch() }
            if !isLaunched { app.open(way) }
            await app.settle()
            app.expectVisible(RecipeScreen(details: onionSoup, failure: nil, isFavourite: false))
            app.finishTest()
        }
    }

    private let onionSoup = RecipeDetails(
        recipe: Recipe(id: 2, name: "Onion soup"), steps: ["Chop", "Fry", "Boil"], minutes: 2)

    private func rows(_ ids: [Int], liked: Int? = nil) -> [SearchScreen.Row] {
        let names = [1: "Leek soup", 2: "Onion soup", 3: "Plum cake"]
        return ids.map { id in
            SearchScreen.Row(recipe: Recipe(id: id, name: names[id] ?? ""), isFavourite: id == liked)
        }
    }

    /// Opens a session whose first search is complete.
    private func openSearch() async throws -> AppUnderTest {
        let app = try AppUnderTest(LarderApp.self)
        app.advance(by: .milliseconds(300))
        await app.settle()
        app.expectVisible(SearchScreen(query: "", rows: rows([1, 2, 3]), isSearching: false, failure: nil))
        return app
    }

    private func search(_ query: String, in app: AppUnderTest) async {
        app.send(.type(query: query), on: SearchScreen.self)
        app.advance(by: .milliseconds(300))
        await app.settle()
    }
}
