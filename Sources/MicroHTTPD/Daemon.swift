internal import Synchronization
package import UsherFuture
package import UsherHTTP
internal import UsherProcess

/// An HTTP/1.1 server on one port, built on libmicrohttpd, with one handler.
///
/// The handler gets only requests that pass the checks of `RequestHead`. The daemon answers all other requests with a
/// problem (RFC 9457), or closes their connection. The handler runs on the connection's thread; a task is created only
/// if the handler suspends.
package final class Daemon: Sendable {
    package struct Traffic: Sendable {
        package let connections: Int
        package let connectionLimit: Int
        /// The number of current requests, each counted from its request line to the end of its response.
        package let requests: Int
        /// The total number of connections that the standby daemon has accepted.
        package let standbyConnections: Int
        /// The total number of idle connections that were closed because too many connections were open.
        package let relievedConnections: Int
        /// How often there was no descriptor for a new connection.
        package let descriptorShortages: Int
        /// The current number of bytes of request and response bodies, without bodies up to 4 KiB.
        package let exchangedBytes: Int
        /// The total number of bodies that were refused because the limit of `exchangedBytes` was reached.
        package let refusedBodies: Int
        /// The total number of connections that were refused because their address had too many.
        package let refusedConnections: Int
    }

    /// The port that the daemon listens on: the port that the system chose if 0 was requested; 0 for a Unix socket.
    package let port: Int

    private let context: DaemonContext
    private let running: RunningDaemon
    private let phase = Mutex(DaemonPhase.running)

    /// Creates a daemon and starts it.
    ///
    /// - Throws: The reason why the daemon cannot listen, as one sentence for the operator.
    package convenience init(
        _ configuration: DaemonConfiguration = DaemonConfiguration(),
        handler: @escaping @Sendable (Request) async -> Response
    ) throws(DaemonError) {
        try self.init(configuration, reply: { request in .async { await handler(request) } })
    }

    /// Creates a daemon and starts it.
    ///
    /// - Parameters:
    ///   - configuration: The address to listen on, and the limits.
    ///   - socket: A listening socket to use instead of the configured address.
    ///   - refused: Called with the response and the header fields of each request that the daemon answers without
    ///     `reply`; returns the response to send.
    ///   - standby: A handler that must not wait. A separate thread calls it while handlers block all other threads, or
    ///     while no further connection may be opened. Without a standby handler, clients wait.
    ///   - reply: The handler of all requests. It must not block the connection's thread.
    /// - Throws: The reason why the daemon cannot listen, as one sentence for the operator.
    package init(
        _ configuration: DaemonConfiguration = DaemonConfiguration(), socket: ListeningSocket? = nil,
        refused: @escaping @Sendable (Response, HeaderFields) -> Response = { response, _ in response },
        standby: (@Sendable (Request) -> Response)? = nil,
        reply: @escaping @Sendable (Request) -> Future<Response>
    ) throws(DaemonError) {
        let socket = if let socket { socket } else { try ListeningSocket(configuration) }
        context = DaemonContext(configuration, refused: refused, reply)
        running = try RunningDaemon(configuration, context, socket, standby: standby)
        port = socket.port
    }

    /// Stops the daemon, without waiting until it has stopped.
    deinit {
        let running = running
        if case .running = phase.withLock({ $0 }) { _ = SystemThread.start { running.stop() } }
    }

    package var traffic: Traffic {
        Traffic(
            connections: context.connections.count, connectionLimit: context.connectionLimit,
            requests: context.requestCount, standbyConnections: running.standbyCount,
            relievedConnections: context.relievedCount,
            descriptorShortages: context.shortageCount, exchangedBytes: context.exchanged.count,
            refusedBodies: context.exchanged.refusalCount, refusedConnections: context.peers.refusalCount)
    }

    /// Closes each connection after its next response, so that clients move to another server before this one stops.
    ///
    /// The daemon still accepts connections and answers requests.
    package func closeBehindAnswers() {
        context.closeBehindAnswers()
    }

    /// Stops accepting connections, waits for the current requests, then stops.
    ///
    /// A request that still waits after the grace period is answered with 503. May be called several times.
    ///
    /// - Parameter isShared: `true` if another process continues to use the socket and its pending connections; `false`
    ///   to accept and answer the pending connections first.
    package func stop(leavingSocket isShared: Bool = false) async {
        await withCheckedContinuation { continuation in
            switch phase.withLock({ $0.stop(continuation) }) {
            case .start: stopOnOwnThread(isShared)
            case .wait: break
            case .resume: continuation.resume()
            }
        }
    }

    // Uses a separate thread, because stopping blocks, and a handler may call `stop` on a thread that must end before
    // the daemon stops.
    private func stopOnOwnThread(_ isShared: Bool) {
        let body: @Sendable () -> Void = {
            self.running.stop(leavingSocket: isShared)
            for continuation in self.phase.withLock({ $0.finish() }) { continuation.resume() }
        }
        if !SystemThread.start(body) { body() }
    }
}

/// The phase of a daemon's life, with the tasks that wait until the daemon has stopped.
enum DaemonPhase {
    case running
    case stopping([CheckedContinuation<Void, Never>])
    case stopped

    /// What the caller of `stop` does next.
    enum Step {
        case start
        case wait
        case resume
    }

    mutating func stop(_ continuation: CheckedContinuation<Void, Never>) -> Step {
        switch self {
        case .running:
            self = .stopping([continuation])
            return .start
        case .stopping(let others):
            self = .stopping(others + [continuation])
            return .wait
        case .stopped:
            return .resume
        }
    }

    /// Called when the daemon has stopped; returns the continuations to resume.
    mutating func finish() -> [CheckedContinuation<Void, Never>] {
        guard case .stopping(let waiting) = self else { return [] }
        self = .stopped
        return waiting
    }
}
