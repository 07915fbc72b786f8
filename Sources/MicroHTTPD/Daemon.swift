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
    /// The load of a daemon.
    package struct Traffic: Sendable {
        /// Connections that are open.
        package let connections: Int
        /// Connections that may be open.
        package let connectionLimit: Int
        /// Requests under way, from their request line to the end of their response.
        package let requests: Int
        /// Connections so far that the standby daemon has taken.
        package let standbyConnections: Int
        /// Connections so far that were closed unused, because most of those that may be open were.
        package let relievedConnections: Int
        /// Times so far that there was no descriptor for a connection.
        package let descriptorShortages: Int
        /// Bytes of the bodies that come in and the answers that go out, small ones not counted.
        package let exchangedBytes: Int
        /// Bodies that were refused because the others took all memory there is for them.
        package let refusedBodies: Int
        /// Connections that were refused because their address had as many as it may.
        package let refusedConnections: Int
    }

    /// The port that it listens on: the one asked for, or the free one that was found for 0; 0 for a Unix socket.
    package let port: Int

    private let context: DaemonContext
    private let running: RunningDaemon
    private let phase = Mutex(DaemonPhase.running)

    /// Starts to listen and to answer.
    ///
    /// - Parameters:
    ///   - configuration: The address at which it listens, and its limits.
    ///   - handler: The handler of all requests, which may have to wait.
    /// - Throws: The reason why it cannot listen, in one sentence for the operator.
    package convenience init(
        _ configuration: DaemonConfiguration = DaemonConfiguration(),
        handler: @escaping @Sendable (Request) async -> Response
    ) throws(DaemonError) {
        try self.init(configuration, reply: { request in .async { await handler(request) } })
    }

    /// Starts to listen and to answer.
    ///
    /// - Parameters:
    ///   - configuration: The address at which it listens, and its limits.
    ///   - socket: A socket that listens already, in place of one at that address.
    ///   - refused: Is given the answers to requests that `reply` never sees, with their fields, and may add to them.
    ///   - standby: Answers instead, on a thread of its own, while handlers hold all others, or no further connection may be
    ///     opened; it must not wait for anything. Without it clients wait.
    ///   - reply: The handler of all requests, which answers now or later; it must not block the connection's thread.
    /// - Throws: The reason why it cannot listen, in one sentence for the operator.
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

    /// A daemon that nobody holds any more stops as if it had been told to.
    deinit {
        let running = running
        if case .running = phase.withLock({ $0 }) { _ = SystemThread.start { running.stop() } }
    }

    /// The load at this moment.
    package var traffic: Traffic {
        Traffic(
            connections: context.connections.count, connectionLimit: context.connectionLimit,
            requests: context.requestCount, standbyConnections: running.standbyCount,
            relievedConnections: context.relievedCount,
            descriptorShortages: context.shortageCount, exchangedBytes: context.exchanged.count,
            refusedBodies: context.exchanged.refusalCount, refusedConnections: context.peers.refusalCount)
    }

    /// Answers as before, and new connections too, but each closes behind its next answer: their clients go elsewhere
    /// before it stops.
    package func closeBehindAnswers() {
        context.closeBehindAnswers()
    }

    /// Takes no new connection, lets the requests under way be answered, then stops; may be called again at any time.
    ///
    /// A request that is still waiting after the time of grace is answered with 503.
    ///
    /// - Parameter isShared: True where another process goes on with the socket, and with the connections that wait there;
    ///   otherwise these are accepted and answered.
    package func stop(leavingSocket isShared: Bool = false) async {
        await withCheckedContinuation { continuation in
            switch phase.withLock({ $0.stop(continuation) }) {
            case .start: stopOnOwnThread(isShared)
            case .wait: break
            case .resume: continuation.resume()
            }
        }
    }

    // Its own thread: stopping blocks, and may be asked for by a handler on a thread that must end first.
    private func stopOnOwnThread(_ isShared: Bool) {
        let body: @Sendable () -> Void = {
            self.running.stop(leavingSocket: isShared)
            for continuation in self.phase.withLock({ $0.finish() }) { continuation.resume() }
        }
        if !SystemThread.start(body) { body() }
    }
}

/// The phase of a daemon's life, with the tasks that wait for its end.
enum DaemonPhase {
    case running
    case stopping([CheckedContinuation<Void, Never>])
    case stopped

    /// The part of a caller who asks for the end.
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

    /// It is over.
    ///
    /// - Returns: the continuations that have waited for it.
    mutating func finish() -> [CheckedContinuation<Void, Never>] {
        guard case .stopping(let waiting) = self else { return [] }
        self = .stopped
        return waiting
    }
}
