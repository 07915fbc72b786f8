import Synchronization

/// A session that several clients share.
///
/// A server stores the responses to the last sixteen keys. Therefore, clients must not send more events while another
/// client still waits for its response, because its retry would count as a new event.
final class LoadSession: Sendable {
    let id: String
    private let keys = Mutex(Keys())

    private struct Keys {
        var issued = 0
        /// The keys' places whose responses may still be requested.
        var open: [Int: Int] = [:]
        /// The newest acknowledged events.
        var acknowledged: [(place: Int, number: Int)] = []

        var hasRoom: Bool { issued - (open.keys.min() ?? issued) < LoadSession.window }
    }

    private static let window = 12

    init(id: String) {
        self.id = id
    }

    var path: String { "/sessions/\(id)" }

    /// Returns the place of a new key.
    ///
    /// - Returns: nil while another client has waited for too long.
    func begin() -> Int? {
        keys.withLock { keys in
            guard keys.hasRoom else { return nil }
            defer { keys.issued += 1 }
            keys.open[keys.issued, default: 0] += 1
            return keys.issued
        }
    }

    /// Returns the place of an event that was acknowledged recently, to repeat it.
    func repetition() -> (place: Int, number: Int)? {
        keys.withLock { keys in
            guard keys.hasRoom, let event = keys.acknowledged.randomElement(),
                keys.issued - event.place < Self.window / 2
            else { return nil }
            keys.open[event.place, default: 0] += 1
            return event
        }
    }

    /// Releases a place whose key is not used any more.
    ///
    /// - Parameter number: The event, if it was acknowledged.
    func settle(_ place: Int, acknowledged number: Int? = nil) {
        keys.withLock { keys in
            let uses = keys.open[place, default: 1] - 1
            keys.open[place] = uses > 0 ? uses : nil
            guard let number else { return }
            keys.acknowledged = keys.acknowledged.suffix(3) + [(place, number)]
        }
    }
}
