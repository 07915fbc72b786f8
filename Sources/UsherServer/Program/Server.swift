package import MicroHTTPD
package import Usher
import UsherHTTP
package import UsherJournal
package import UsherProcess
package import UsherSessions

/// A server that listens: sessions, endpoints, the daemon and a sweeper, from its options.
package final class Server: Sendable {
    /// The base URL of its clients, such as `http://127.0.0.1:8080`.
    package let address: String
    /// The port that it listens on.
    package let port: Int
    /// The address of the operator's own listener, where there is one.
    package let adminAddress: String?
    /// The number of open streams.
    package var streamCount: Int { streams.count }
    /// The number of watchers of sessions: streams, and answers that wait for a revision.
    package var watcherCount: Int { application.watcherCount }
    private let application: Application
    private let daemon: Daemon
    /// The daemon of the operator's own listener.
    private let adminDaemon: Daemon?
    private let sweeper: RepeatingTask
    /// The duties among the servers that share the journal; nil where this one alone has it.
    private let peering: RepeatingTask?
    private let heartbeat: RepeatingTask
    private let readiness: Readiness
    private let streams = EventStreams()

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - apps: The apps that sessions can be opened on.
    ///   - options: The options of `usher serve`.
    ///   - journal: The sessions' journal; closed by whoever opened it, after the server has stopped.
    ///   - socket: A socket that listens already, in place of one at the options' address.
    ///   - crashes: The inputs that are refused, and what makes isolated runs.
    ///   - flight: The record that says whose author's code runs.
    ///   - remains: What was in flight when the process before died.
    ///   - log: Takes leaks and failures.
    /// - Throws: `DaemonError` or `AdminListener.Failure` when it cannot, `SystemError` when there is no page where
    ///   there should be one.
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

    /// Writes the document of the contract, before anybody asks for it.
    ///
    /// - Throws: `JSONError` when an app's options do not encode.
    package func writeContract() throws {
        try application.writeContract()
    }

    /// Goes on serving, but is not ready, and closes each connection behind its next answer.
    ///
    /// A load balancer sends it no more then, and no request meets a connection that closes under it (RFC 9112, section 9.6).
    ///
    /// - Parameter time: The time that a load balancer takes to see that.
    package func drain(for time: Duration) async {
        readiness.drain()
        guard time > .zero else { return }
        daemon.closeBehindAnswers()
        try? await Task.sleep(for: time)
    }

    /// Takes no new connection, answers the requests that are under way, and stops.
    ///
    /// - Parameter isShared: True where another process goes on with the socket, and with the connections that wait there.
    package func stop(leavingSocket isShared: Bool = false) async {
        readiness.drain()
        await heartbeat.stop()
        streams.drain()
        application.endWaits()
        // Both at once: each may have to wait for its clients.
        async let listener: Void? = adminDaemon?.stop()
        await daemon.stop(leavingSocket: isShared)
        _ = await listener
        await sweeper.stop()
        await peering?.stop()
        application.memory.stop()
    }
}

/// A task that does the same work again and again, until it is stopped.
private final class RepeatingTask: Sendable {
    private let task: Task<Void, Never>

    /// Begins at once.
    ///
    /// - Parameters:
    ///   - interval: The rest between two times.
    ///   - work: The work.
    init(every interval: Duration, _ work: @escaping @Sendable () async -> Void) {
        task = Task.detached(priority: .background) {
            // At once, for work may have been left by the process before.
            repeat { await work() } while (try? await Task.sleep(for: interval)) != nil
        }
    }

    /// Does it no more; waits for the end of work that is under way.
    func stop() async {
        task.cancel()
        await task.value
    }
}
