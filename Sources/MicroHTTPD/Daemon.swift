internal import Synchronization
package import UsherFuture
package import UsherHTTP
internal import UsherProcess

/// An HTTP/1.1 server on one port: libmicrohttpd's daemon, in front of one handler.
///
/// Every request that reaches the handler has passed the checks of `RequestHead`; every other one was answered with a
/// problem (RFC 9457) or its connection was closed. The handler runs on the connection's thread; only where it has to
/// wait is there a task, which begins there too.
package final class Daemon: Sendable {
    /// The port that it listens on: the one asked for, or the free one that was found for 0.
    package let port: Int

    let service: Service
    private let running: RunningDaemon
    private let phase = Mutex(DaemonPhase.running)

    /// Starts to listen and to answer.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens, and its bounds.
    ///   - handler: What answers, and may have to wait.
    /// - Throws: Why it cannot listen, in one sentence for the operator.
    package convenience init(
        _ configuration: Configuration = Configuration(),
        handler: @escaping @Sendable (Request) async -> Response
    ) throws(DaemonError) {
        try self.init(configuration, reply: { request in .async { await handler(request) } })
    }

    /// Starts to listen and to answer.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens, and its bounds.
    ///   - refused: Is told of the answers to requests that `reply` never sees.
    ///   - reply: What answers, at once or later; it must not block the connection's thread.
    /// - Throws: Why it cannot listen, in one sentence for the operator.
    package init(
        _ configuration: Configuration = Configuration(), refused: @escaping @Sendable (Response) -> Void = { _ in },
        reply: @escaping @Sendable (Request) -> Future<Response>
    ) throws(DaemonError) {
        let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
        service = Service(configuration, refused: refused, reply)
        running = try RunningDaemon(configuration, service, socket)
        port = socket.port
    }

    /// A daemon that nobody holds any more stops as if it had been told to.
    deinit {
        let running = running
        if case .running = phase.withLock({ $0 }) { _ = SystemThread.start { running.stop() } }
    }

    /// Takes no new connection, lets the requests under way be answered, then stops; may be called again at any time.
    ///
    /// A request that is still waiting after the time of grace is answered with 503.
    package func stop() async {
        await withCheckedContinuation { continuation in
            switch phase.withLock({ $0.stop(continuation) }) {
            case .start: stopOnOwnThread()
            case .wait: break
            case .resume: continuation.resume()
            }
        }
    }

    // Its own thread: stopping blocks, and may be asked for by a handler on a thread that must end first.
    private func stopOnOwnThread() {
        let body: @Sendable () -> Void = {
            self.running.stop()
            for continuation in self.phase.withLock({ $0.finish() }) { continuation.resume() }
        }
        if !SystemThread.start(body) { body() }
    }
}
