internal import Synchronization
internal import UsherProcess

/// The thread that looks after a daemon's connections from outside.
///
/// It ends those whose clients are late, for libmicrohttpd's own time-out counts from the last byte, so that one byte now
/// and then would hold a connection for ever. It also closes half-closed and, where they are too many, idle ones, reads
/// what refused requests still send, has the standby daemon take what nobody accepts, and gives memory back.
final class ConnectionSweeper: Sendable {
    private let context: DaemonContext
    private let standby: StandbyDaemon?
    private let interval: Int64
    private let isStopped = Atomic(false)

    /// Deadlines are met within an eighth of the shortest, but looked at no oftener than every 10 ms; within two seconds while
    /// nothing else happens.
    init(_ context: DaemonContext, _ standby: StandbyDaemon?) {
        self.context = context
        self.standby = standby
        interval = min(max(context.times.shortest / 8, 10_000_000), Self.longest)
    }

    /// - Returns: false if there is no thread for it.
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

    /// A Boolean value indicating whether there is nothing to look after but deadlines that leave time.
    private var isIdle: Bool {
        (interval == Self.longest || context.connections.isEmpty) && context.requestCount == 0
            && context.halfClosed.isEmpty && standby?.isIdle ?? true
    }

    /// The state from one tick to the next.
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

/// The memory of connections that have gone, which `malloc` does not give back by itself.
struct ConnectionMemory {
    private var peak = 0
    private var nextTrim = Int64.min

    /// Asks whether so many connections have left since memory was given back that it is worth a look at the whole heap.
    ///
    /// - Parameter count: The connections that are open now.
    mutating func isWorthTrimming(_ count: Int, at now: Int64) -> Bool {
        peak = max(peak, count)
        guard peak - count >= Self.few, now >= nextTrim else { return false }
        peak = count
        nextTrim = now + Self.rest
        return true
    }

    /// Connections whose memory is worth it: a quarter of a megabyte.
    private static let few = 32
    private static let rest: Int64 = 10_000_000_000
}
