private import CMicroHTTPD
private import Glibc
internal import UsherHTTP
internal import UsherProcess

/// libmicrohttpd's daemon with its socket and its sweeper, from its start to its end.
@safe
final class RunningDaemon: @unchecked Sendable {  // because only `init` and `stop`, which runs once, use the pointer
    private let pointer: OpaquePointer
    private let context: DaemonContext
    private let socket: ListeningSocket
    private let silence: Int32
    private let sweeper: ConnectionSweeper
    private let standby: StandbyDaemon?
    private let grace: Int64
    private let linger: Int64

    init(
        _ configuration: DaemonConfiguration, _ context: DaemonContext, _ socket: ListeningSocket,
        standby reply: (@Sendable (Request) -> Response)?
    ) throws(DaemonError) {
        _ = signal(SIGPIPE, SIG_IGN)  // A client that is gone is an error of a call, not the end of the process.
        silence = ListeningSocket.makeSilence()
        guard silence >= 0, let pointer = unsafe Self.start(configuration, context, listeningOn: socket) else {
            close(silence)
            socket.close()
            throw .cannotStart
        }
        unsafe self.pointer = pointer
        self.context = context
        self.socket = socket
        standby = reply.flatMap { StandbyDaemon(configuration, socket, refused: context.refused, $0) }
        sweeper = ConnectionSweeper(context, standby)
        grace = configuration.deadlines.grace.nanoseconds
        linger = min(grace, configuration.deadlines.linger.nanoseconds)
        guard sweeper.start() else {
            stop()
            throw .cannotStart
        }
    }

    /// The number of connections that the standby daemon has taken.
    var standbyCount: Int { standby?.takenCount ?? 0 }

    /// Stops for good; blocks until all is over.
    ///
    /// No handler can hold it up: one that occupies its thread and does not return in time is left behind, with the thread
    /// and all that it serves.
    ///
    /// - Parameter isShared: True where another process goes on with the socket, and with the connections that wait there.
    func stop(leavingSocket isShared: Bool = false) {
        context.closeBehindAnswers()
        if !isShared { acceptRest() }
        socket.stopListening(silence)
        drain()
        sweeper.stop()
        standby?.stop()
        if context.connections.isEmpty {
            unsafe MHD_stop_daemon(pointer)  // Closes the socket's descriptor, too.
            close(silence)
        } else {
            // Its threads still run: libmicrohttpd would wait for the handler that holds one, and calls back into the context.
            unsafe _ = Unmanaged.passRetained(context)
        }
    }

    /// Lets the threads accept all connections that have begun: with the socket's end, those that wait would be reset.
    private func acceptRest() {
        socket.ignoreBeginnings()
        // Those that are about to begin.
        SystemThread.pause(nanoseconds: Self.handshake)
        wait(until: CoarseClock.time(in: Self.lastSecond)) { !socket.isAwaited }
    }

    private func drain() {
        let end = CoarseClock.time(in: grace)
        context.streams.finishAll()
        wait(until: CoarseClock.time(in: linger)) { context.connections.isEmpty }
        wait(until: end) {
            context.connections.closeIdle()
            return context.isQuiet
        }
        context.suspended.refuseAll()
        wait(until: CoarseClock.time(in: Self.lastSecond)) { context.isQuiet }
        context.connections.shutDownAll()
        wait(until: CoarseClock.time(in: Self.lastSecond)) { context.connections.isEmpty }
    }

    private func wait(until end: Int64, for condition: () -> Bool) {
        while !condition(), CoarseClock.now < end { SystemThread.pause(nanoseconds: 2_000_000) }
    }

    private static let lastSecond: Int64 = 1_000_000_000
    /// In nanoseconds, the time that a client's answer takes with which a connection has begun.
    private static let handshake: Int64 = 50_000_000

    /// Starts libmicrohttpd's daemon.
    ///
    /// - Parameter socket: The socket that it accepts connections from; nil for one that is handed each.
    static func start(
        _ configuration: DaemonConfiguration, _ context: DaemonContext, listeningOn socket: ListeningSocket?
    ) -> OpaquePointer? {
        var settings = unsafe usher_daemon_settings()
        unsafe settings.listen_socket = socket?.descriptor ?? -1
        let threads = UInt32(min(max(1, configuration.threads), 1024))
        unsafe settings.threads = threads
        unsafe settings.connection_limit = max(threads, UInt32(clamping: configuration.connectionLimit))
        unsafe settings.connection_memory = configuration.wholeConnectionMemory
        // Not retained: whoever starts it holds it until the daemon has stopped.
        unsafe settings.context = Unmanaged.passUnretained(context).toOpaque()
        unsafe settings.on_request = requestAdvanced
        unsafe settings.on_target = targetArrived
        unsafe settings.on_completion = requestCompleted
        unsafe settings.on_connection = connectionChanged
        unsafe settings.on_log = daemonReported
        unsafe settings.unescape = leaveEscaped
        return unsafe usher_start_daemon(&settings)
    }
}
