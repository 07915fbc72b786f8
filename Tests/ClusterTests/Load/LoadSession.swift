import Synchronization

/// A session that several clients share.
///
/// A server keeps the answers under the last sixteen keys, so that nobody may send more while another does not know yet
/// what became of his: a retry would count as a new event then.
final class LoadSession: Sendable {
    let id: String
    private let keys = Mutex(Keys())

    private struct Keys {
        var issued = 0
        /// Those whose answers may still be asked for.
        var open: [Int: Int] = [:]
        /// The newest events that were acknowledged.
        var acknowledged: [(place: Int, number: Int)] = []

        var hasRoom: Bool { issued - (open.keys.min() ?? issued) < LoadSession.window }
    }

    private static let window = 12

    init(id: String) {
        self.id = id
    }

    var path: String { "/sessions/\(id)" }

    /// Takes the place of a new key.
    ///
    /// - Returns: nil while somebody has waited for too long.
    func begin() -> Int? {
        keys.withLock { keys in
            guard keys.hasRoom else { return nil }
            defer { keys.issued += 1 }
            keys.open[keys.issued, default: 0] += 1
            return keys.issued
        }
    }

    /// Takes the place of an event once more that was acknowledged a little before.
    func repetition() -> (place: Int, number: Int)? {
        keys.withLock { keys in
            guard keys.hasRoom, let event = keys.acknowledged.randomElement(),
                keys.issued - event.place < Self.window / 2
            else { return nil }
            keys.open[event.place, default: 0] += 1
            return event
        }
    }

    /// Lets go of a place, whose key is asked for no more.
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
