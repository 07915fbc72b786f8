private import CMicroHTTPD
private import Glibc
internal import Synchronization
internal import UsherFuture
internal import UsherHTTP

/// A daemon with one thread that accepts connections when the main daemon cannot.
///
/// The main daemon cannot accept connections while handlers block all its threads, while it has too many connections,
/// or while the process has no descriptor left. The standby daemon answers each request before the request's body
/// arrives, and then closes the connection. The standby daemon's handler must not wait. The time for a head is short,
/// because other connections wait.
@safe
final class StandbyDaemon: @unchecked Sendable {  // because the pointer is used only under the lock
    private let context: DaemonContext
    private let socket: ListeningSocket
    private let pointer: Mutex<UInt>
    private let limit: Int
    private let taken = Atomic(0)
    private let spares = SpareDescriptors()

    /// Starts the daemon, or returns nil if the system has no thread for it.
    init?(
        _ configuration: DaemonConfiguration, _ socket: ListeningSocket,
        refused: @escaping @Sendable (Response, HeaderFields) -> Response,
        _ reply: @escaping @Sendable (Request) -> Response
    ) {
        var own = configuration
        own.deadlines.head = min(own.deadlines.head, Self.patience)
        context = DaemonContext(own, answersHeads: true, refused: refused) { request in .ready(reply(request)) }
        context.closeBehindAnswers()
        self.socket = socket
        own.threads = 1
        // libmicrohttpd never releases a lock if its own limit is exceeded, so this class enforces the limit.
        own.connectionLimit = 1 << 20
        limit = configuration.standbyLimit
        own.connectionsPerAddress = 0
        guard let daemon = unsafe RunningDaemon.start(own, context, listeningOn: nil) else { return nil }
        pointer = Mutex(UInt(bitPattern: daemon))
    }

    var takenCount: Int { taken.load(ordering: .relaxed) }

    var isAwaited: Bool { socket.isAwaited }

    /// A Boolean value that indicates whether the daemon has no connection and no connection is waiting to be accepted.
    var isIdle: Bool { context.connections.isEmpty && context.halfClosed.isEmpty && !isAwaited }

    /// Accepts the waiting connections; to make room, closes the oldest connections whose head has not arrived.
    func takeAll(at now: Int64) {
        let excess = context.connections.count - limit / 2
        if excess > 0 { _ = context.connections.closeUnused(excess, since: now - Self.protection) }
        pointer.withLock { address in
            guard let daemon = unsafe OpaquePointer(bitPattern: address) else { return }
            for _ in 0..<max(0, min(Self.atOnce, limit - context.connections.count)) {
                guard unsafe accept(for: daemon) else { return }
                taken.add(1, ordering: .relaxed)
            }
        }
    }

    private func accept(for daemon: OpaquePointer) -> Bool {
        if unsafe usher_accept_for(daemon, socket.descriptor) { return true }
        return socket.isAwaited && spares.lend { unsafe usher_accept_for(daemon, socket.descriptor) }
    }

    func sweep(at now: Int64) {
        spares.refill()
        context.hangUps.poke(in: context.connections)
        context.halfClosed.read(at: now)
        context.connections.shutDownLate(at: now)
    }

    /// Stops at once, because no handler waits.
    func stop() {
        pointer.withLock { address in
            guard let daemon = unsafe OpaquePointer(bitPattern: address) else { return }
            address = 0
            context.connections.shutDownAll()
            unsafe MHD_stop_daemon(daemon)
        }
        context.halfClosed.closeAll()
    }

    private static let atOnce = 16
    /// The time in which a head must arrive.
    private static let patience = Duration.seconds(2)
    /// The time in nanoseconds for which a new connection is not closed.
    private static let protection: Int64 = 100_000_000
}

/// A snapshot of the load of a daemon's threads.
struct ThreadLoad {
    /// A Boolean value that indicates whether a connection waits to be accepted.
    var isAwaited: Bool
    /// A Boolean value that indicates whether the process has no descriptor for the waiting connection.
    var isShort = false
    var accepted: Int
    var connections: (open: Int, limit: Int)
    /// The counters of the threads that run a handler, by thread.
    var turns: [UInt: Int]
    var threads: Int
}

/// Decides when the standby daemon is needed.
///
/// The standby daemon is needed if a connection waits, no connection was accepted for a while, and the cause is blocked
/// handler threads, the number of connections, or a lack of descriptors. A thread that merely gets no processor time
/// does not count as blocked.
struct StandbyWatch {
    private var accepted = -1
    private var turns: [UInt: Int] = [:]
    private var since: Int64?

    mutating func isNeeded(_ load: ThreadLoad, at now: Int64) -> Bool {
        guard load.isAwaited, load.accepted == accepted else { return rest(load.accepted) }
        guard let since else {
            self.since = now
            turns = load.turns
            return false
        }
        turns = turns.filter { load.turns[$0.key] == $0.value }
        guard now - since >= Self.patience else { return false }
        if load.isShort { return true }
        // The share of blocked threads plus the share of used connections must be at least three quarters.
        let held = turns.count * load.connections.limit + load.connections.open * load.threads
        guard held * 4 >= load.threads * load.connections.limit * 3 else { return rest(load.accepted) }
        return true
    }

    private mutating func rest(_ accepted: Int) -> Bool {
        self.accepted = accepted
        since = nil
        return false
    }

    private static let patience: Int64 = 100_000_000
}
