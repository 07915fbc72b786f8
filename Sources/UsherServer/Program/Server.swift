import MicroHTTPD
package import Usher
package import UsherJournal

/// A server that listens: sessions, endpoints, the daemon and a sweeper, from its options.
package final class Server: Sendable {
    /// Where clients reach it, such as `http://127.0.0.1:8080`.
    package let address: String
    /// The port that it listens on.
    package let port: Int
    /// How many streams are open.
    package var streamCount: Int { streams.count }
    /// How many watch a session: streams, and answers that wait for a revision.
    package var watcherCount: Int { application.watcherCount }
    private let application: Application
    private let daemon: Daemon
    private let sweeper: Sweeper
    private let pulse: Sweeper
    private let readiness = Readiness()
    private let streams = EventStreams()

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - apps: What sessions can be opened on.
    ///   - options: How it was asked to run.
    ///   - journal: Where inputs are kept; closed by whoever opened it, after the server has stopped.
    ///   - log: Where leaks and failures are told.
    /// - Throws: `DaemonError` when it cannot, `FileTree.ReadError` when there is no page where there should be one.
    package init(
        apps: [any App.Type], options: ServeOptions, journal: any Journal = MemoryJournal(), log: Log
    ) throws {
        let page = try options.publicFolder.map { folder in try StaticFiles(folder: folder) }
        let front = DaemonReference()
        let application = Application(
            apps: apps, options: options, journal: journal, page: page ?? StaticFiles(), readiness: readiness,
            streams: streams, daemon: front, log: log)
        daemon = try Daemon(options.daemon, refused: application.count) { request in application.reply(to: request) }
        front.daemon = daemon
        self.application = application
        sweeper = Sweeper(every: options.sweepInterval) { await application.sweep() }
        pulse = Sweeper(every: .seconds(15)) { [streams] in streams.beat() }
        port = daemon.port
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        address = "http://\(host):\(port)"
    }

    /// Takes no new connection, answers the requests that are under way, and stops.
    package func stop() async {
        readiness.drain()
        await pulse.stop()
        streams.drain()
        application.endWaits()
        await daemon.stop()
        await sweeper.stop()
    }
}

/// Looks after idle sessions now and then, until it is stopped.
final class Sweeper: Sendable {
    private let task: Task<Void, Never>

    /// Begins to sweep.
    ///
    /// - Parameters:
    ///   - interval: How long it rests in between.
    ///   - sweep: What it does.
    init(every interval: Duration, _ sweep: @escaping @Sendable () async -> Void) {
        task = Task.detached(priority: .background) {
            // At once, for work may have been left by the process before.
            repeat { await sweep() } while (try? await Task.sleep(for: interval)) != nil
        }
    }

    /// Sweeps no more; waits for the end of a sweep that is under way.
    func stop() async {
        task.cancel()
        await task.value
    }
}
