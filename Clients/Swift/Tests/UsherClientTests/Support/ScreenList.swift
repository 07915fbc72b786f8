import Synchronization
import Testing

@testable import UsherClient

/// A view like an app's.
///
/// The view stores the ids of the screens and all updates, and reports operations that do not fit its screens.
final class ScreenList: Sendable {
    private struct Contents {
        var screens: [Screen] = []
        var tabs: Tabs?
        var operations: [JSON] = []
        var updates: [SessionUpdate] = []
    }

    private let contents = Mutex(Contents())

    init() {}

    init(following session: Session) {
        session.observe { self.hear($0) }
    }

    var screens: [Screen] { contents.withLock { $0.screens } }
    var tabs: Tabs? { contents.withLock { $0.tabs } }
    /// All updates that the view has received.
    var updates: [SessionUpdate] { contents.withLock { $0.updates } }

    /// Returns the operations since the last call, in the format of the conformance kit.
    func takeOperations() -> [JSON] {
        contents.withLock { contents in
            defer { contents.operations = [] }
            return contents.operations
        }
    }

    func hear(_ update: SessionUpdate) {
        contents.withLock { contents in
            contents.updates.append(update)
            if case .gone = update { contents.operations.append(["gone": true]) }
            guard case .state(_, let operations) = update else { return }
            for operation in operations {
                contents.operations.append(operation.json)
                Self.apply(operation, to: &contents)
            }
        }
    }

    private static func apply(_ operation: ViewOperation, to contents: inout Contents) {
        switch operation {
        case .remove(let id, _):
            guard let place = place(id, in: contents) else { return complain(of: operation) }
            contents.screens.remove(at: place)
        case .insert(let screen, let at):
            guard place(screen.id, in: contents) == nil, at <= contents.screens.count else {
                return complain(of: operation)
            }
            contents.screens.insert(screen, at: at)
        case .update(let screen):
            guard let place = place(screen.id, in: contents) else { return complain(of: operation) }
            contents.screens[place] = screen
        case .select(let tabs): contents.tabs = tabs
        }
    }

    private static func place(_ id: Int, in contents: Contents) -> Int? {
        contents.screens.firstIndex { $0.id == id }
    }

    private static func complain(of operation: ViewOperation) {
        Issue.record("\(operation) does not fit")
    }
}

extension ViewOperation {
    /// The value in the format of the conformance kit.
    var json: JSON {
        switch self {
        case .remove(let id, isHidden: false): ["remove": .integer(Int64(id))]
        case .remove(let id, isHidden: true): ["remove": .integer(Int64(id)), "hidden": true]
        case .select(let tabs): ["select": tabs.flatMap { try? JSON(encoding: $0) } ?? .null]
        case .insert(let screen, let place): ["insert": screen.json, "at": .integer(Int64(place))]
        case .update(let screen): ["update": screen.json]
        }
    }
}

extension Screen {
    var json: JSON { (try? JSON(encoding: self)) ?? .null }
}
