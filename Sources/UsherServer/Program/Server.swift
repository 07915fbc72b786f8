import MicroHTTPD
package import Usher

/// A server that listens: sessions, endpoints and the daemon, from its options.
package final class Server: Sendable {
    /// Where clients reach it, such as `http://127.0.0.1:8080`.
    package let address: String
    /// The port that it listens on.
    package let port: Int
    private let daemon: Daemon
    private let readiness = Readiness()

    /// Starts to listen.
    ///
    /// - Throws: `DaemonError` when it cannot, `FileTree.ReadError` when there is no page where there should be one.
    package init(apps: [any App.Type], options: ServeOptions, log: Log) throws {
        let page = try options.publicFolder.map { folder in try StaticFiles(folder: folder) }
        let application = Application(
            apps: apps, options: options, page: page ?? StaticFiles(), readiness: readiness, log: log)
        daemon = try Daemon(options.daemon) { request in await application.respond(to: request) }
        port = daemon.port
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        address = "http://\(host):\(port)"
    }

    /// Takes no new connection, answers the requests that are under way, and stops.
    package func stop() async {
        readiness.drain()
        await daemon.stop()
    }
}
