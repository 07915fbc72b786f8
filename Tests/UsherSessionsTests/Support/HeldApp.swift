import Foundation
import Synchronization
import Usher

/// An app with an event whose handler keeps its thread, and with it the session's lock, until a test lets it go.
enum HeldApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { HeldCoordinator() }
}

/// The handlers that keep their threads; one test at a time holds one.
enum Hold {
    static let began = DispatchSemaphore(value: 0)
    static let mayEnd = DispatchSemaphore(value: 0)
}

struct HeldScreen: Screen {
    enum Event: Codable { case hold, note(Int) }
    static let examples: [Event] = [.hold, .note(1)]

    var notes: [Int] = []
}

final class HeldCoordinator: Coordinator<Never> {
    private var screen: Handle<HeldScreen>?

    override func start() {
        screen = push(HeldScreen()) { me, event in
            switch event {
            case .hold:
                Hold.began.signal()
                Hold.mayEnd.wait()
            case .note(let number): me.screen?.update { $0.notes.append(number) }
            }
        }
    }
}
