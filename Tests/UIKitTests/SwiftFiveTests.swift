import SwiftFiveApp
import Testing
import UIKit
import UsherTesting

/// An app in language mode 5, whose sources import Foundation beside UIKit.
@Suite
struct SwiftFiveTests {
    @Test func `a login leads home, and a confirmed logout back`() throws {
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
}
