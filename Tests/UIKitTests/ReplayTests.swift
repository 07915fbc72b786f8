import Testing
import UIKit
import Usher
import UsherTesting

/// An app that uses the process's clock and random numbers, which no module can replace.
private enum UnrepeatableApp: App {
    static let changes = ["clock"]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = UnrepeatableViewController()
            return nil
        }
    }
}

private struct UnrepeatableScreen: Screen, Equatable {
    enum Event: Codable { case readClock, readSessionClock, draw, ask(change: String) }

    static let examples: [Event] = [.readClock, .readSessionClock, .draw, .ask(change: "clock")]

    let text: String
}

private final class UnrepeatableViewController: UIViewController, ScreenController {
    private var text = ""

    var content: UnrepeatableScreen { UnrepeatableScreen(text: text) }

    func handle(_ event: UnrepeatableScreen.Event) {
        switch event {
        case .readClock: text = "\(Date().timeIntervalSince1970)"
        case .readSessionClock: text = "\(UIKitSession.current?.now.timeIntervalSince1970 ?? 0)"
        case .draw: text = UUID().uuidString
        case .ask(let change): text = "\(change) \(UIKitSession.current?.root?.changed(change) ?? false)"
        }
    }
}

/// Tests that a replay detects and names an app's use of a clock or random numbers.
@Suite
struct ReplayTests {
    @Test(arguments: [("readClock", "Date()"), ("draw", "UUID()")])
    func `if a replay differs, the test's issue names the line of code that caused the difference`(
        _ event: String, _ use: String
    ) throws {
        let app = try AppUnderTest(UnrepeatableApp.self)
        app.send(event)
        withKnownIssue {
            app.finishTest()
        } matching: { issue in
            issue.comments.contains { comment in
                let lines = comment.rawValue.split(separator: "\n")
                return comment.rawValue.contains(#"{"event":"\#(event)"} had another result"#)
                    && lines.contains { $0.hasPrefix("Tests/UIKitTests/ReplayTests.swift:") && $0.contains(use) }
            }
        }
    }

    @Test func `the app's code can ask the root coordinator whether the session's build knew a change`() throws {
        let app = try AppUnderTest(UnrepeatableApp.self)
        app.send("ask", ["change": "clock"])
        app.expectState(#"{"text":"clock true"}"#)
    }

    @Test func `during a replay, the session's clock shows the recorded times`() throws {
        let app = try AppUnderTest(UnrepeatableApp.self, time: Timestamp(milliseconds: 5_000))
        app.send("readSessionClock")
        app.expectState(#"{"text":"5.0"}"#)
    }
}
