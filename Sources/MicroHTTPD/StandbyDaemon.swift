private import CMicroHTTPD
private import Glibc
internal import Synchronization
internal import UsherFuture
internal import UsherHTTP

/// A daemon of one thread that takes the connections which nobody accepts: while handlers hold all threads of the other,
/// it has all the connections that it may have, or the process has no descriptor left.
///
/// Its own handler must not wait; each connection is closed behind its first answer, which needs no body, and a client has
/// little time for a head: others wait for its place.
@safe
final class StandbyDaemon: @unchecked Sendable {  // because the pointer is used under the lock only
    private let context: DaemonContext
    private let socket: ListeningSocket
    private let pointer: Mutex<UInt>
    private let limit: Int
    private let taken = Atomic(0)
    private let spares = SpareDescriptors()

    /// Fails if the system has no thread for it.
    init?(
        _ configuration: DaemonConfiguration, _ socket: ListeningSocket,
        refused: @escaping @Sendable (Response, HeaderFields) -> Response,
        _ reply: @escaping @Sendable (Request) -> Response
    ) {
        var own = configuration
        own.deadlines.head = min(own.deadlines.head, Self.patience)
        context = DaemonContext(own, answersHeads: true, refused: refused) { request in .ready(reply(request)) }
        context.closeBehindAnswers()  // It closes behind each answer.
        self.socket = socket
        own.threads = 1
        // Handed more connections than its limit, libmicrohttpd keeps a lock for ever: the bound is kept here.
        own.connectionLimit = 1 << 20
        limit = configuration.standbyLimit
        own.connectionsPerAddress = 0
        guard let daemon = unsafe RunningDaemon.start(own, context, listeningOn: nil) else { return nil }
        pointer = Mutex(UInt(bitPattern: daemon))
    }

    /// The number of connections that it took.
    var takenCount: Int { taken.load(ordering: .relaxed) }

    /// True while a connection waits to be accepted.
    var isAwaited: Bool { socket.isAwaited }

    /// A Boolean value indicating whether it has no connection, and none waits for it.
    var isIdle: Bool { context.connections.isEmpty && context.halfClosed.isEmpty && !isAwaited }

    /// Takes the connections that wait; those that have sent no head make room.
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

    /// Looks after its connections; see `ConnectionSweeper`.
    func sweep(at now: Int64) {
        spares.refill()
        context.hangUps.poke(in: context.connections)
        context.halfClosed.read(at: now)
        context.connections.shutDownLate(at: now)
    }

    /// Stops; there is nobody to wait for.
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
    /// The time for a head.
    private static let patience = Duration.seconds(2)
    /// The time in which a connection may send one, however many there are.
    private static let protection: Int64 = 100_000_000
}

/// The load of a daemon's threads, at one look.
struct ThreadLoad {
    /// True while a connection waits to be accepted.
    var isAwaited: Bool
    /// True while the process has no descriptor for it.
    var isShort = false
    /// The number of connections that were accepted so far.
    var accepted: Int
    /// The connections that are open, and the most that may be.
    var connections: (open: Int, limit: Int)
    /// The turns of the threads that are in a handler, by thread.
    var turns: [UInt: Int]
    /// The number of threads.
    var threads: Int
}

/// The watch for the time at which the standby daemon is needed: a connection waits, nobody has accepted any for a while,
/// and what holds them up is handlers on their threads, the number of connections, or the want of descriptors.
///
/// A thread that is merely not given the processor shows in neither.
struct StandbyWatch {
    private var accepted = -1
    private var turns: [UInt: Int] = [:]
    private var since: Int64?

    /// Takes a look.
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
        // Threads that are held, as a share of all, and connections, as a share of those that may be.
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
