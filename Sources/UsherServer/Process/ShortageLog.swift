import MicroHTTPD
import Synchronization
import UsherProcess

/// The log of connections that were refused or held up for want of descriptors, connections or threads: at most one line a
/// minute, with what has come to the counts since the last one.
final class ShortageLog: Sendable {
    /// The counts, which only grow.
    struct Counts: Equatable {
        var withoutDescriptor = 0
        var closedUnused = 0
        var onStandby = 0

        init() {}

        init(_ traffic: Daemon.Traffic) {
            withoutDescriptor = traffic.descriptorShortages
            closedUnused = traffic.relievedConnections
            onStandby = traffic.standbyConnections
        }
    }

    private struct Contents {
        var logged = Counts()
        var nextLine = Int64.min
    }

    private let contents = Mutex(Contents())
    private let log: Log

    /// Nothing was held up so far.
    init(_ log: Log) {
        self.log = log
    }

    /// Writes a line if the counts have grown, and the last one is long ago.
    ///
    /// - Parameter now: The time, by the `MonotonicClock`.
    func note(_ counts: Counts, at now: Int64 = MonotonicClock.now) {
        let before: Counts? = contents.withLock { contents in
            guard counts != contents.logged, now >= contents.nextLine else { return nil }
            defer { contents = Contents(logged: counts, nextLine: now + Self.interval) }
            return contents.logged
        }
        guard let before else { return }
        log.write(
            .warning, "connections refused or held up",
            [
                "withoutDescriptor": "\(counts.withoutDescriptor - before.withoutDescriptor)",
                "closedUnused": "\(counts.closedUnused - before.closedUnused)",
                "onStandby": "\(counts.onStandby - before.onStandby)",
            ])
    }

    private static let interval: Int64 = 60_000_000_000
}
