import Synchronization

/// A log that stores its lines.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    @Sendable func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    var all: [String] { lines.withLock { $0 } }
}
