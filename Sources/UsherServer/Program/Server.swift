package import MicroHTTPD
package import Usher
import UsherHTTP
package import UsherJournal
package import UsherProcess
package import UsherSessions

/// A running server: sessions, endpoints, the daemon and periodic work, created from the options.
package final class Server: Sendable {
    /// The base URL for clients, for example `http://127.0.0.1:8080`.
    package let address: String
    package let port: Int
    /// The URL of the operator's own listener, if there is one.
    package let adminAddress: String?
    package var streamCount: Int { streams.count }
    /// The number of watchers of sessions: streams, and responses that wait for a revision.
    package var watcherCount: Int { application.watcherCount }
    private let application: Application
    private let daemon: Daemon
    private let adminDaemon: Daemon?
    private let sweeper: RepeatingTask
    /// The periodic work that is needed because other servers share the journal; nil if no other server shares it.
    private let peering: RepeatingTask?
    private let heartbeat: RepeatingTask
    private let readiness: Readiness
    private let streams = EventStreams()

    /// Starts to listen at the options' address, or on a socket that already listens.
    ///
    /// The caller closes the journal after the server has stopped. `remains` are the previous process's marks.
    ///
    /// - Throws: `DaemonError` or `AdminListener.Failure` if the server cannot listen; `SystemError` if the page is
    ///   missing.
    package init(
        apps: [any App.Type], options: ServeOptions, journal: any Journal = MemoryJournal(),
        socket: ListeningSocket? = nil, crashes: CrashSettings = CrashSettings(), flight: FlightRecord? = nil,
        remains: [FlightMark] = [], log: Log
    ) throws {
        let page = try StaticFiles(options.page)
        let front = DaemonReference()
        let readiness = Readiness(of: journal)
        self.readiness = readiness
        let application = Application(
            apps: apps, options: options, journal: journal, crashes: crashes, page: page,
            readiness: readiness, streams: streams, daemon: front, flight: flight, log: log)
        if !remains.isEmpty { BlockingTask.value { await application.recover(from: remains) } }
        adminDaemon = try options.adminListener.flatMap { listener throws(AdminListener.Failure) in
            try application.behind(listener, of: options).map { inner throws(AdminListener.Failure) in
                try listener.start(keepAlive: options.keepAlive, refused: inner.refuse, reply: inner.reply(to:))
            }
        }
        adminAddress = adminDaemon.flatMap { options.adminListener?.address(port: $0.port) }
        let health = HealthEndpoints(readiness: readiness)
        daemon = try Daemon(
            options.daemon, socket: socket, refused: application.refuse,
            standby: { request in
                application.refuse(health.standby(request), request.headers)
            }, reply: application.reply(to:))
        front.daemon = daemon
        self.application = application
        sweeper = RepeatingTask(every: options.sweepInterval) { await application.sweep() }
        peering = journal.peers.map { _ in RepeatingTask(every: .seconds(1)) { await application.meetPeers() } }
        heartbeat = RepeatingTask(every: .seconds(15)) { [streams] in streams.beat() }
        application.memory.start()
        port = daemon.port
        address = options.address(port: port)
    }

    /// Creates the contract's document before the first request; throws `JSONError` if an app's options do not encode.
    package func writeContract() throws {
        try application.writeContract()
    }

    /// Fails the readiness check, continues to serve for a time, and closes each connection after its next response.
    ///
    /// A load balancer then stops sending requests, and no request arrives on a connection that is closing (RFC 9112,
    /// section 9.6).
    package func drain(for time: Duration) async {
        readiness.drain()
        guard time > .zero else { return }
        daemon.closeBehindAnswers()
        try? await Task.sleep(for: time)
    }

    /// Refuses new connections, completes the current requests, and stops.
    ///
    /// - Parameter isShared: Whether another process continues to use the socket and its waiting connections.
    package func stop(leavingSocket isShared: Bool = false) async {
        readiness.drain()
        await heartbeat.stop()
        streams.drain()
        application.endWaits()
        // Both daemons stop at the same time, because each may wait for its clients.
        async let listener: Void? = adminDaemon?.stop()
        await daemon.stop(leavingSocket: isShared)
        _ = await listener
        await sweeper.stop()
        await peering?.stop()
        application.memory.stop()
    }
}

private final class RepeatingTask: Sendable {
    private let task: Task<Void, Never>

    /// Starts the work immediately, and repeats it after a pause of `interval`.
    init(every interval: Duration, _ work: @escaping @Sendable () async -> Void) {
        task = Task.detached(priority: .background) {
            // The first run is immediate, because the previous process may have left work.
            repeat { await work() } while (try? await Task.sleep(for: interval)) != nil
        }
    }

    /// Stops the repetition, and waits until the current run has ended.
    func stop() async {
        task.cancel()
        await task.value
    }
}
