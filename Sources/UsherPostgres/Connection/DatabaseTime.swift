import Synchronization
import UsherProcess

/// The database's time of day, as this machine's uptime tells it from one beat to the next.
///
/// Servers agree about ages and timers by it. Nobody sets the uptime, so this machine's own time of day may be wrong, or
/// may jump, and nothing depends on it.
final class DatabaseTime: Sendable {
    /// Milliseconds from the uptime to the database's time of day.
    private let offset: Atomic<Int64>

    /// Begins with what the database has answered first.
    ///
    /// - Parameters:
    ///   - time: The database's time of day, in milliseconds since 1970.
    ///   - start: The uptime before the database was asked.
    ///   - end: The uptime after its answer.
    init(_ time: Int64, askedAt start: Int64, answeredAt end: Int64) {
        offset = Atomic(time &- start &- (end &- start) / 2)
    }

    /// Compares with another answer, and corrects the time as far as the answer proves it wrong: an answer that took long
    /// proves little.
    func note(_ time: Int64, askedAt start: Int64, answeredAt end: Int64) {
        let offset = offset.load(ordering: .relaxed)
        self.offset.store(min(max(offset, time &- end), time &- start), ordering: .relaxed)
    }

    /// The time of day at an uptime, in milliseconds since 1970.
    func milliseconds(at uptime: Int64) -> Int64 { uptime &+ offset.load(ordering: .relaxed) }
}
