private import CMicroHTTPD
private import Glibc
internal import UsherProcess

/// libmicrohttpd's daemon and what it works with, from its start to its end.
@safe
final class RunningDaemon: @unchecked Sendable {  // because only `init` and `stop`, which runs once, use the pointer
    private let pointer: OpaquePointer
    private let service: Service
    private let socket: ListeningSocket
    private let sweeper: DeadlineSweeper
    private let grace: Int64
    private let linger: Int64

    init(_ configuration: Daemon.Configuration, _ service: Service, _ socket: ListeningSocket) throws(DaemonError) {
        _ = signal(SIGPIPE, SIG_IGN)  // A client that is gone is an error of a call, not the end of the process.
        guard let pointer = unsafe Self.start(configuration, service, socket) else {
            socket.close()
            throw .cannotStart
        }
        unsafe self.pointer = pointer
        self.service = service
        self.socket = socket
        sweeper = DeadlineSweeper(service.connections, service.suspended, shortest: service.times.shortest)
        grace = configuration.deadlines.grace.nanoseconds
        linger = min(grace, configuration.deadlines.linger.nanoseconds)
        guard sweeper.start() else {
            stop()
            throw .cannotStart
        }
    }

    /// Stops for good; blocks until all is over.
    ///
    /// No handler can hold it up that waits; one that occupies its thread and never returns does.
    func stop() {
        service.beginStopping()
        socket.stopListening()
        drain()
        sweeper.stop()
        unsafe MHD_stop_daemon(pointer)  // Closes the socket's descriptor, too.
    }

    private func drain() {
        let end = MonotonicClock.time(in: grace)
        service.streams.close()
        wait(until: MonotonicClock.time(in: linger)) { service.connections.isEmpty }
        wait(until: end) {
            service.connections.closeIdle()
            return service.requests.isZero
        }
        service.suspended.close()
        wait(until: MonotonicClock.time(in: Self.lastSecond)) { service.requests.isZero }
        service.connections.shutDownAll()
        wait(until: MonotonicClock.time(in: Self.lastSecond)) { service.connections.isEmpty }
    }

    private func wait(until end: Int64, for condition: () -> Bool) {
        while !condition(), MonotonicClock.now < end { SystemThread.pause(nanoseconds: 2_000_000) }
    }

    private static let lastSecond: Int64 = 1_000_000_000

    private static func start(
        _ configuration: Daemon.Configuration, _ service: Service, _ socket: ListeningSocket
    ) -> OpaquePointer? {
        var settings = unsafe usher_daemon_settings()
        unsafe settings.listen_socket = socket.descriptor
        let threads = UInt32(min(max(1, configuration.threads), 1024))
        unsafe settings.threads = threads
        unsafe settings.connection_limit = max(threads, UInt32(clamping: configuration.connectionLimit))
        unsafe settings.connections_per_address = UInt32(clamping: configuration.connectionsPerAddress)
        unsafe settings.connection_memory = max(1024, configuration.connectionMemory)
        // Not retained: `self` holds it until the daemon has stopped.
        unsafe settings.context = Unmanaged.passUnretained(service).toOpaque()
        unsafe settings.on_request = requestProgressed
        unsafe settings.on_target = targetArrived
        unsafe settings.on_completion = requestCompleted
        unsafe settings.on_connection = connectionChanged
        unsafe settings.unescape = leaveEscaped
        return unsafe usher_start_daemon(&settings)
    }
}
