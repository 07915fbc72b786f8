import SwiftFiveApp
import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of an app in language mode 5, whose sources import Foundation and UIKit.
@Suite
struct SwiftFiveTests {
    @Test func `a login leads to the home screen, and a confirmed logout leads back to the login`() throws {
        let app = try AppUnderTest(SwiftFiveApp.self)
        app.expectStack("n[login]")
        app.send("login", ["name": ""])
        app.expectState(#"{"failure":"Who are you?"}"#)
        app.send("login", ["name": "kim"])
        app.expectStack("n[home]")
        app.take(.tap("Log out"))
        app.expectStack("n[home] ⊕ alert[alert]")
        app.take(.tap("Log out"))
        app.expectStack("n[login]")
    }

    @Test func `coordinators that are not isolated to an actor run unchanged`() throws {
        let app = try AppUnderTest(PlainApp.self)
        app.send("sort")
        app.expectStack("n[trails] ⊕ actionSheet[alert]")
        app.take(.tap("Length"))
        app.expectState(#"{"trails":["Lake","Mountain"]}"#)
        app.send("select", ["index": 1])
        app.expectOwnTree("Trails[trails]→[Trail[trail]]")
        app.back()
        app.expectOwnTree("Trails[trails]")
    }

    @Test func `an event that taps a button is refused if the button does not exist`() throws {
        let app = try AppUnderTest(PlainApp.self)
        app.expectRefusal(.refused, naming: "Shuffle") { $0.send("shuffle") }
    }

    @Test(arguments: ["closure", "async", "mainActor", "publisher"])
    func `a repository can await an effect, pass a closure to it, or subscribe to it`(_ way: String)
        async throws
    {
        let app = try AppUnderTest(SearchApp.self)
        app.send("search", ["text": "word", "way": way])
        app.expectPending("suggestWords")
        await app.settle()
        app.expectState(#"{"words":["word","words"]}"#)
    }

    @Test func `an observable's scheduler uses the session's queue and clock`() async throws {
        let app = try AppUnderTest(SearchApp.self)
        app.send("search", ["text": "word", "way": "observable"])
        app.expectPending("timer")
        app.advance(by: .milliseconds(300))
        app.expectPending("suggestWords")
        await app.settle()
        app.expectState(#"{"words":["word","words"]}"#)
    }

    @Test(arguments: ["observable", "publisher"])
    func `cancelling a subscription cancels its effect`(_ way: String) throws {
        let app = try AppUnderTest(SearchApp.self)
        app.send("search", ["text": "word", "way": way])
        app.send("cancel")
        app.expectPending()
    }
}
