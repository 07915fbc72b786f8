import Synchronization
import UsherSessions

/// What a registry has told its operator.
final class Observations: Sendable {
    private let events = Mutex<[SessionEvent]>([])

    var all: [SessionEvent] { events.withLock { $0 } }

    func add(_ event: SessionEvent) {
        events.withLock { $0.append(event) }
    }
}
