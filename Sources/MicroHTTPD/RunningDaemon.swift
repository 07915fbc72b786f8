private import CMicroHTTPD
private import Glibc
internal import UsherHTTP
internal import UsherProcess

/// A running libmicrohttpd daemon with its socket and its sweeper.
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
        _ = signal(SIGPIPE, SIG_IGN)  // With SIGPIPE ignored, writing to a closed connection fails with an error.
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

    var standbyCount: Int { standby?.takenCount ?? 0 }

    /// Stops the daemon and waits until it has stopped.
    ///
    /// No handler can delay the stop. If a handler still blocks its thread after the grace period, the thread and its
    /// connections are left running. Pass true for `isShared` if another process continues to use the socket and its
    /// pending connections.
    func stop(leavingSocket isShared: Bool = false) {
        context.closeBehindAnswers()
        if !isShared { acceptRest() }
        socket.stopListening(silence)
        drain()
        sweeper.stop()
        standby?.stop()
        if context.connections.isEmpty {
            unsafe MHD_stop_daemon(pointer)  // Also closes the socket's descriptor.
            close(silence)
        } else {
            // The threads still use the context, and stopping libmicrohttpd would wait for the blocked thread.
            unsafe _ = Unmanaged.passRetained(context)
        }
    }

    /// Lets the threads accept all pending connections, because closing the socket would reset them.
    private func acceptRest() {
        socket.ignoreBeginnings()
        // Clients whose handshake has started get the time to finish it.
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
    /// The time that a client needs to complete a handshake, in nanoseconds.
    private static let handshake: Int64 = 50_000_000

    /// Starts a libmicrohttpd daemon, to which the caller passes connections if `socket` is nil.
    static func start(
        _ configuration: DaemonConfiguration, _ context: DaemonContext, listeningOn socket: ListeningSocket?
    ) -> OpaquePointer? {
        var settings = unsafe usher_daemon_settings()
        unsafe settings.listen_socket = socket?.descriptor ?? -1
        let threads = UInt32(min(max(1, configuration.threads), 1024))
        unsafe settings.threads = threads
        unsafe settings.connection_limit = max(threads, UInt32(clamping: configuration.connectionLimit))
        unsafe settings.connection_memory = configuration.wholeConnectionMemory
        // The context is passed without a reference, because the caller retains it until the daemon has stopped.
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
