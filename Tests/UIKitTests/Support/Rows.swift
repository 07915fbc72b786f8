import Foundation
import Testing
import UIKit
import Usher
import UsherTesting

/// A row of a table: an action of a user or an app, and all calls that follow.
struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    var start = RowApp.Options.Start.navigation
    /// The inputs before the tested one.
    var before: [Step] = []
    let input: Step
    let calls: [String]
    /// The page that describes UIKit's behaviour.
    let source: String

    var testDescription: String { name }
}

/// An input of a row.
enum Step: Sendable {
    case send(RowScreen.Event)
    case tap(String)
    case back
    case select(String)
    case flow(UIKitCoordinator.Flow)
}

extension AppUnderTest {
    func take(_ step: Step) {
        switch step {
        case .send(let event):
            let json = (try? JSONEncoder().encode(event)).map { String(decoding: $0, as: UTF8.self) }
            input(#"{"event":\#(json ?? "")}"#)
        case .tap(let action): input(#"{"event":{"tap":{"action":"\#(action)"}}}"#)
        case .back: back()
        case .select(let tab): select(tab)
        case .flow(let flow): open(flow)
        }
    }

    /// All calls that the visible screen shows.
    var calls: [String] {
        struct State: Decodable { let calls: [String] }
        let shown = screens.reversed().lazy.compactMap { screen in
            try? JSONDecoder().decode(State.self, from: Data(screen.state.utf8))
        }
        return shown.first?.calls ?? []
    }
}
