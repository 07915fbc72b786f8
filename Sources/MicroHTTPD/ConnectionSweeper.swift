internal import Synchronization
internal import UsherProcess

/// The thread that maintains a daemon's connections.
///
/// The thread shuts down connections that are past their deadline, because libmicrohttpd's own timeout restarts with
/// each byte, so a slow client could hold a connection forever. The thread also closes half-closed connections and
/// excess idle connections, reads the rest of refused requests, makes the standby daemon accept connections, and
/// returns memory to the system.
final class ConnectionSweeper: Sendable {
    private let context: DaemonContext
    private let standby: StandbyDaemon?
    private let interval: Int64
    private let isStopped = Atomic(false)

    /// Creates a sweeper whose interval is an eighth of the shortest deadline, but at least 10 ms.
    ///
    /// While the daemon is idle, the sweeper runs every two seconds.
    init(_ context: DaemonContext, _ standby: StandbyDaemon?) {
        self.context = context
        self.standby = standby
        interval = min(max(context.times.shortest / 8, 10_000_000), Self.longest)
    }

    /// Starts the thread, or returns `false` if the system has none.
    func start() -> Bool {
        SystemThread.start {
            var round = Round()
            while !self.isStopped.load(ordering: .relaxed) {
                self.context.beat.rest(min(self.interval, Self.tick), isIdle: self.isIdle)
                self.sweep(&round)
            }
            self.context.halfClosed.closeAll()
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        context.beat.call()
    }

    /// A Boolean value that indicates whether there is no work except for distant deadlines.
    private var isIdle: Bool {
        (interval == Self.longest || context.connections.isEmpty) && context.requestCount == 0
            && context.halfClosed.isEmpty && standby?.isIdle ?? true
    }

    /// The state that one tick passes to the next.
    private struct Round {
        var nextSweep: Int64 = 0
        var memory = ConnectionMemory()
        var watch = StandbyWatch()
    }

    private func sweep(_ round: inout Round) {
        let now = CoarseClock.now
        context.hangUps.poke(in: context.connections)
        context.halfClosed.read(at: now)
        standby?.sweep(at: now)
        let count = context.connections.count
        let isAwaited = standby?.isAwaited ?? false
        let isShort = isAwaited && SpareDescriptors.areNeeded
        context.relieve(of: count, isShort: isShort, at: now)
        if round.watch.isNeeded(context.load(of: count, isAwaited: isAwaited, isShort: isShort), at: now) {
            standby?.takeAll(at: now)
        }
        if round.memory.isWorthTrimming(count, at: now) { HeapMemory.trim() }
        guard now >= round.nextSweep else { return }
        round.nextSweep = now + interval
        context.connections.shutDownLate(at: now)
        context.suspended.cancelAbandoned()
    }

    private static let tick: Int64 = 25_000_000
    private static let longest: Int64 = 1_000_000_000
}

/// Decides when to return the memory of closed connections, which `malloc` keeps.
struct ConnectionMemory {
    private var peak = 0
    private var nextTrim = Int64.min

    /// Returns `true` if enough connections were closed since the last trim to justify walking the whole heap.
    mutating func isWorthTrimming(_ count: Int, at now: Int64) -> Bool {
        peak = max(peak, count)
        guard peak - count >= Self.few, now >= nextTrim else { return false }
        peak = count
        nextTrim = now + Self.rest
        return true
    }

    /// The number of closed connections that justifies a trim: together, they had a quarter of a megabyte of memory.
    private static let few = 32
    private static let rest: Int64 = 10_000_000_000
}
