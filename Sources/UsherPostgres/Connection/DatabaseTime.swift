import Synchronization
import UsherProcess

/// The database's time of day, computed from this machine's uptime between two heartbeats.
///
/// Servers use this time for ages and timers. Because nobody can set the uptime, nothing depends on this machine's own
/// time of day, which may be wrong or jump.
final class DatabaseTime: Sendable {
    /// The difference between the database's time of day and the uptime in milliseconds.
    private let offset: Atomic<Int64>

    /// Creates the time from the database's time of day in milliseconds since 1970, and the uptimes before the request
    /// and after the response.
    init(_ time: Int64, askedAt start: Int64, answeredAt end: Int64) {
        offset = Atomic(time &- start &- (end &- start) / 2)
    }

    /// Corrects the time with another response, as far as the response proves that the time was wrong.
    ///
    /// A slow response proves little, because the database may have read its time at any moment between the request and
    /// the response.
    func note(_ time: Int64, askedAt start: Int64, answeredAt end: Int64) {
        let offset = offset.load(ordering: .relaxed)
        self.offset.store(min(max(offset, time &- end), time &- start), ordering: .relaxed)
    }

    /// Returns the time of day at an uptime, in milliseconds since 1970.
    func milliseconds(at uptime: Int64) -> Int64 { uptime &+ offset.load(ordering: .relaxed) }
}
